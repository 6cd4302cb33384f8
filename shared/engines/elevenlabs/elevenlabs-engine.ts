/**
 * The adapter to ElevenLabs by plain HTTP. It responds to a request with the sound itself, so a job is done as soon as
 * it is submitted, and the sound is copied to the service's own storage.
 *
 * Its requests are not idempotent. One that may have been worked on is not repeated: neither when the response takes too
 * long nor when it breaks off. Only a process that ends between the response and storing its result repeats the request:
 * the service then pays twice for a task, but the customer never does.
 */
import { collectBytes } from '../../platform/limit-bytes.ts';
import type { Engine, EngineBusy, EngineFailure, EngineJob, EngineOutcome } from '../engine.ts';
import { openStoredFile } from '../stored-file.ts';
import { faultCodeIn, verdictOn } from './elevenlabs-fault.ts';
import { type ElevenLabsRequest, elevenLabsRequest } from './elevenlabs-request.ts';

export interface ElevenLabsAccess {
  /** `https://api.elevenlabs.io`, or a region's; the key is sent nowhere else. */
  readonly url: string;
  /** Read at each use, so that a changed key needs no restart. */
  readonly key: () => Promise<string>;
  /** Limits reading the recording, and then the exchange. Default: 8 and 30 s, less together than the step may take. */
  readonly timeLimitsMs?: { readonly recording: number; readonly exchange: number };
}

/** Limits the download of a result from the service's own storage. */
const downloadMs = 60_000;
/** Ten minutes of sound have a tenth of it. */
const maxSoundBytes = 96 * 2 ** 20;
const maxFaultBytes = 2 ** 16;

const failed = (code: EngineFailure): EngineOutcome => ({ status: 'failed', code });

const nameOf = (error: unknown): string => String(Object(error).name);

/** Only the system's code: an error message may quote the request. */
const reasonOf = (error: unknown): string => {
  const { code } = Object(Object(error).cause) as { readonly code?: unknown };
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(String(code)) ? String(code) : 'no response';
};

const headersWith = (key: string, body: ElevenLabsRequest['body']): Headers => {
  try {
    const type = typeof body === 'string' && { 'Content-Type': 'application/json' };
    return new Headers({ 'xi-api-key': key, Accept: 'audio/mpeg', ...type });
  } catch {
    // The error would quote the key.
    throw new Error('the ElevenLabs key contains characters that are not allowed in a header');
  }
};

/** Undefined if the response is too long, breaks off or takes too long. */
const bytesOf = ({ body }: Response, maxBytes: number): Promise<Buffer | undefined> =>
  collectBytes(body ?? [], maxBytes).catch(() => undefined);

const isSound = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('audio/') ?? false;

async function outcomeOf(
  response: Response,
  { isOwnVoice }: ElevenLabsRequest,
  keep: EngineJob['keep'],
): Promise<EngineOutcome | EngineBusy> {
  const { ok, status } = response;
  if (ok) {
    const bytes = await bytesOf(response, maxSoundBytes);
    if (!bytes?.length || !isSound(response)) return failed('PROVIDER_ERROR');
    return {
      status: 'done',
      outputs: [{ url: await keep({ bytes, contentType: 'audio/mpeg' }), contentType: 'audio/mpeg' }],
    };
  }
  const code = faultCodeIn((await bytesOf(response, maxFaultBytes))?.toString('utf8') ?? '');
  const verdict = verdictOn({ status, code, isOwnVoice });
  if (verdict === 'busy') return { status: 'busy' };
  if (verdict !== 'temporary') return failed(verdict);
  throw new Error(`ElevenLabs responded with ${status}${code ? ` (${code})` : ''}`);
}

/**
 * `submit` throws an Error if ElevenLabs cannot be reached, rejects the key, is out of quota or fails, and if the recording
 * cannot be read or the result cannot be stored. Errors contain a status and documented names, never the text of users or
 * of ElevenLabs.
 */
export const elevenLabsEngine = (access: ElevenLabsAccess): Engine => {
  const { url, key, timeLimitsMs = { recording: 8_000, exchange: 30_000 } } = access;
  const base = url.replace(/\/$/, '');

  return {
    async submit(job) {
      const request = await elevenLabsRequest(job, timeLimitsMs.recording);
      if (!request) return failed('INPUT_INVALID');
      const { path, body } = request;
      const signal = AbortSignal.timeout(timeLimitsMs.exchange);
      const init = {
        method: 'POST',
        headers: headersWith(await key(), body),
        body,
        redirect: 'error',
        signal,
      } as const;
      const response = await fetch(`${base}/${path}`, init).catch((error: unknown) => {
        if (nameOf(error) === 'TimeoutError') return undefined;
        throw new Error(`the request to ElevenLabs failed: ${reasonOf(error)}`);
      });
      return response ? outcomeOf(response, request, job.keep) : failed('PROVIDER_TIMEOUT');
    },
    /** No job is ever in progress: a reference can only belong to another engine. */
    check: async () => ({ status: 'lost' }),
    cancel: async () => undefined,
    readCallback: async () => undefined,
    download: async ({ url: stored }) => ({ body: await openStoredFile(stored, downloadMs) }),
  };
};
