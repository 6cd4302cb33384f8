/**
 * Adapter to ElevenLabs without a client library. The response contains the audio, so a job is done when it is
 * submitted, and the audio is copied to the service's own storage. Only transcripts are polled. Requests are not
 * idempotent. A request that may have been processed is not repeated, whether the response is too slow or breaks off.
 * Only a process that ends between the response and storing its result, or cannot store it, repeats the request: the
 * service then pays twice, but the customer does not.
 */
import { Readable } from 'node:stream';
import { jsonIn } from '../../platform/json-in.ts';
import { collectBytes } from '../../platform/limit-bytes.ts';
import type { Engine, EngineAcceptance, EngineBusy, EngineFailure, EngineJob, EngineOutcome } from '../engine.ts';
import { statedCharge } from '../stated-charge.ts';
import { openStoredFile } from '../stored-file.ts';
import { faultCodeIn, verdictOn } from './elevenlabs-fault.ts';
import { type ElevenLabsRequest, elevenLabsRequest } from './elevenlabs-request.ts';
import {
  documentType,
  outcomeOfTranscript,
  transcribing,
  transcriptPath,
  transcriptReference,
} from './elevenlabs-scribe.ts';

export interface ElevenLabsAccess {
  /** The base URL, `https://api.elevenlabs.io` or a regional one; the key is sent nowhere else. */
  readonly url: string;
  /** The key is read at each use, so that a changed key needs no restart. */
  readonly key: () => Promise<string>;
  /**
   * Time limits for reading the recording and for the exchange. Default: 8 and 30 s, together less than the step may
   * take.
   */
  readonly timeLimitsMs?: { readonly recording: number; readonly exchange: number };
}

/** The time limit for downloading a result from the service's own storage. */
const downloadMs = 60_000;
/** The size limit of generated audio: ten times the size of ten minutes. */
const maxSoundBytes = 96 * 2 ** 20;
const maxFaultBytes = 2 ** 16;
/** The size limit of a transcript: more than twice the size of one of three hours. */
const maxTranscriptBytes = 16 * 2 ** 20;

/** The header that says how many characters ElevenLabs charges. */
const chargeHeader = 'character-cost';

const failed = (code: EngineFailure): EngineOutcome => ({ status: 'failed', code });

const nameOf = (error: unknown): string => String(Object(error).name);

/** Returns only the system code of an error, because the error's message may quote the request. */
const reasonOf = (error: unknown): string => {
  const { code } = Object(Object(error).cause) as { readonly code?: unknown };
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(String(code)) ? String(code) : 'no response';
};

const headersWith = (key: string, request?: ElevenLabsRequest): Headers => {
  try {
    const type = typeof request?.body === 'string' && { 'Content-Type': documentType };
    const Accept = request?.result === 'sound' ? 'audio/mpeg' : documentType;
    return new Headers({ 'xi-api-key': key, Accept, ...type });
  } catch {
    // The new error replaces the original one, which would quote the key.
    throw new Error('the ElevenLabs key contains characters that are not allowed in a header');
  }
};

/** Reads a response; undefined if it is too long, breaks off or takes too long. */
const bytesOf = ({ body }: Response, maxBytes: number): Promise<Buffer | undefined> =>
  collectBytes(body ?? [], maxBytes).catch(() => undefined);

const isSound = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('audio/') ?? false;

/**
 * Classifies an error response.
 * @throws {Error} for a fault that is temporary or that concerns the service's ElevenLabs account
 */
async function faultOf(
  response: Response,
  { isOwnVoice }: Pick<ElevenLabsRequest, 'isOwnVoice'>,
): Promise<EngineOutcome | EngineBusy> {
  const { status } = response;
  const code = faultCodeIn((await bytesOf(response, maxFaultBytes))?.toString('utf8') ?? '');
  const verdict = verdictOn({ status, code, isOwnVoice });
  if (verdict === 'busy') return { status: 'busy' };
  if (verdict !== 'temporary') return failed(verdict);
  throw new Error(`ElevenLabs responded with ${status}${code ? ` (${code})` : ''}`);
}

async function outcomeOf(
  response: Response,
  request: ElevenLabsRequest,
  keep: EngineJob['keep'],
): Promise<EngineAcceptance | EngineOutcome | EngineBusy> {
  if (!response.ok) return faultOf(response, request);
  if (request.result === 'transcript') {
    const reference = transcriptReference(jsonIn((await bytesOf(response, maxFaultBytes))?.toString('utf8') ?? ''));
    return reference ? { status: 'accepted', reference, completion: 'polling' } : failed('PROVIDER_ERROR');
  }
  const bytes = await bytesOf(response, maxSoundBytes);
  const charge = statedCharge(response, chargeHeader);
  const charged = charge && { charge };
  if (!bytes?.length || !isSound(response)) return { ...failed('PROVIDER_ERROR'), ...charged };
  return {
    ...charged,
    status: 'done',
    outputs: [{ url: await keep({ bytes, contentType: 'audio/mpeg' }), contentType: 'audio/mpeg' }],
  };
}

const unreachable = (error: unknown): never => {
  throw new Error(`the request to ElevenLabs failed: ${reasonOf(error)}`);
};

/**
 * Creates the engine. `submit` throws an Error if ElevenLabs cannot be reached, rejects the key, is out of quota or
 * fails, or if the recording cannot be read or the result cannot be stored. Errors contain a status and documented
 * names, never text of users or of ElevenLabs.
 */
export const elevenLabsEngine = (access: ElevenLabsAccess): Engine => {
  const { url, key, timeLimitsMs = { recording: 8_000, exchange: 30_000 } } = access;
  const base = url.replace(/\/$/, '');

  /** Requests a document of the service's ElevenLabs account. */
  const get = async (address: string): Promise<Response> => {
    if (!address.startsWith(`${base}/`)) throw new Error('the ElevenLabs key must not be sent to another address');
    const signal = AbortSignal.timeout(timeLimitsMs.exchange);
    return fetch(address, { headers: headersWith(await key()), redirect: 'error', signal }).catch(unreachable);
  };

  return {
    async submit(job) {
      const request = await elevenLabsRequest(job, timeLimitsMs.recording);
      if (!request) return failed('INPUT_INVALID');
      const { path, body } = request;
      const signal = AbortSignal.timeout(timeLimitsMs.exchange);
      const init = {
        method: 'POST',
        headers: headersWith(await key(), request),
        body,
        redirect: 'error',
        signal,
      } as const;
      const response = await fetch(`${base}/${path}`, init).catch((error: unknown) =>
        nameOf(error) === 'TimeoutError' ? undefined : unreachable(error),
      );
      return response ? outcomeOf(response, request, job.keep) : failed('PROVIDER_TIMEOUT');
    },

    /** Only transcripts are ever in progress, so any other reference must belong to another engine. */
    async check(reference) {
      const path = transcriptPath(reference);
      if (path === undefined) return { status: 'lost' };
      const address = `${base}/${path}`;
      const response = await get(address);
      if (response.status === 404) return transcribing;
      if (!response.ok) {
        const fault = await faultOf(response, { isOwnVoice: false });
        return fault.status === 'busy' ? transcribing : fault;
      }
      const bytes = await bytesOf(response, maxTranscriptBytes);
      return outcomeOfTranscript(jsonIn(bytes?.toString('utf8') ?? ''), address);
    },

    cancel: async () => undefined,
    readCallback: async () => undefined,

    async download({ url: stored, contentType }) {
      if (contentType !== documentType) return { body: await openStoredFile(stored, downloadMs) };
      const { ok, status, body } = await get(stored);
      if (!ok) throw new Error(`ElevenLabs responded with ${status} to a request for a transcript`);
      return { body: body ?? Readable.from([]) };
    },
  };
};
