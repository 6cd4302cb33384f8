/** Lets the offline engine generate the fake's results; what it does not support stays plain. */
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { Engine, EngineFailure, EngineOutcome, EngineOutput } from '../../../../shared/engines/engine.ts';
import { offlineEngine } from '../../../../shared/engines/offline/offline-engine.ts';
import { systemClock } from '../../../../shared/platform/clock.ts';
import { randomIds } from '../../../../shared/platform/ids.ts';
import { falEndpoints } from './fal-endpoints.ts';
import { FalFault, type FalFaultType } from './fal-faults.ts';
import { openFiles } from './input-files.ts';
import { type OfflineJob, offlineJobFor } from './offline-job.ts';
import { formatOf, type GeneratedFile, type GenerateFiles, generatePlainFiles } from './plain-files.ts';

type Format = ReturnType<typeof formatOf>;

const everyMs = 200;

const faults: Readonly<Partial<Record<EngineFailure, FalFaultType>>> = {
  DOWNLOAD_FAILED: 'file_download_error',
  INPUT_INVALID: 'image_load_error',
  CONTENT_REJECTED: 'content_policy_violation',
};

/** The caller waits for the outcome, so there are no callbacks and nothing is stored. */
const submission = (taskId: string, { operation, input }: OfflineJob): Parameters<Engine['submit']>[0] => ({
  taskId,
  taskType: operation,
  input,
  callbackUrl: '',
  keep: () => Promise.reject(new Error('the offline engine returns URLs, not content')),
});

const followed = async (engine: Engine, reference: string, signal: AbortSignal): Promise<EngineOutcome> => {
  for (;;) {
    const state = await engine.check(reference);
    if (state.status === 'done' || state.status === 'failed') return state;
    if (state.status === 'lost') return { status: 'failed', code: 'PROVIDER_ERROR' };
    await sleep(everyMs, undefined, { signal });
  }
};

const outcomeOf = async (engine: Engine, taskId: string, job: OfflineJob, signal: AbortSignal) => {
  const state = await engine.submit(submission(taskId, job));
  if (state.status === 'busy') throw new FalFault('downstream_service_error');
  if (state.status !== 'accepted') return state;
  try {
    return await followed(engine, state.reference, signal);
  } finally {
    // The engine may be stopping too, and then needs no cancellation.
    if (signal.aborted) engine.cancel(state.reference).catch(() => undefined);
  }
};

/** Converts an image to the format requested from the model. */
const fileOf = async (engine: Engine, output: EngineOutput, format: Format): Promise<GeneratedFile> => {
  const { body } = await engine.download(output);
  const bytes = await buffer(body);
  const { contentType, width, height } = output;
  const size = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
  if (contentType === `image/${format}` || !contentType.startsWith('image/')) return { bytes, contentType, ...size };
  const converted = await sharp(bytes, { limitInputPixels: false }).keepMetadata().toFormat(format).toBuffer();
  return { bytes: converted, contentType: `image/${format}`, ...size };
};

interface OfflineEngineAccess {
  /** The engine's base URL. */
  readonly url: string;
  readonly key: string;
}

/** @throws {FalFault} fal.ai's equivalent of the job's failure. */
export const offlineFiles = ({ url, key }: OfflineEngineAccess): GenerateFiles => {
  const engine = offlineEngine({ url, key: async () => key, clock: systemClock, completion: 'polling' });
  const ids = randomIds(systemClock);
  return async (endpoint, input, signal) => {
    const job = offlineJobFor(endpoint, input);
    if (!job) return generatePlainFiles(endpoint, input, signal);
    await openFiles(falEndpoints[endpoint] ?? {}, input, signal);
    const outcome = await outcomeOf(engine, ids.next(), job, signal);
    if (outcome.status === 'failed') throw new FalFault(faults[outcome.code] ?? 'downstream_service_error');
    return Promise.all(outcome.outputs.map((output) => fileOf(engine, output, formatOf(input))));
  };
};
