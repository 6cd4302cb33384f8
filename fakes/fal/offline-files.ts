/** Lets the offline engine generate the fake's results; what it does not support stays plain. */
import sharp from 'sharp';
import type { EngineFailure, EngineOutput } from '../../shared/engines/engine.ts';
import { type OfflineEngineAccess, type OfflineWorker, offlineWorker } from '../offline-worker.ts';
import type { GeneratedFile } from './fal-endpoint.ts';
import { falEndpoints } from './fal-endpoints.ts';
import { FalFault, type FalFaultType } from './fal-faults.ts';
import { openFiles } from './input-files.ts';
import { offlineJobFor } from './offline-job.ts';
import { formatOf, type GenerateFiles, generatePlainFiles } from './plain-files.ts';

type Format = ReturnType<typeof formatOf>;

const faults: Readonly<Partial<Record<EngineFailure, FalFaultType>>> = {
  DOWNLOAD_FAILED: 'file_download_error',
  INPUT_INVALID: 'image_load_error',
  CONTENT_REJECTED: 'content_policy_violation',
};

/** Converts an image to the format that was requested. */
const fileOf = async (worker: OfflineWorker, output: EngineOutput, format: Format): Promise<GeneratedFile> => {
  const bytes = await worker.read(output);
  const { contentType, width, height } = output;
  const size = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
  if (contentType === `image/${format}` || !contentType.startsWith('image/')) return { bytes, contentType, ...size };
  const converted = await sharp(bytes, { limitInputPixels: false }).keepMetadata().toFormat(format).toBuffer();
  return { bytes: converted, contentType: `image/${format}`, ...size };
};

/** @throws {FalFault} fal.ai's equivalent of the job's failure */
export const offlineFiles = (access: OfflineEngineAccess): GenerateFiles => {
  const worker = offlineWorker(access);
  return async (endpoint, input, signal) => {
    const job = offlineJobFor(endpoint, input);
    if (!job) return generatePlainFiles(endpoint, input, signal);
    await openFiles(falEndpoints[endpoint] ?? {}, input, signal);
    const outcome = await worker.perform(job, signal);
    if (outcome.status === 'busy') throw new FalFault('downstream_service_error');
    if (outcome.status === 'failed') throw new FalFault(faults[outcome.code] ?? 'downstream_service_error');
    return Promise.all(outcome.outputs.map((output) => fileOf(worker, output, formatOf(input))));
  };
};
