/** Downloads an output from wherever a provider has stored it; the URL is checked like any untrusted one. */
import type { Outbound } from '../platform/outbound.ts';
import type { EngineDownload, EngineOutput } from './engine.ts';

/**
 * The limits of a download. Its time limit is shorter than the step that copies results may take; the stream's reader
 * limits its size.
 */
const bounds = {
  timeoutMs: 240_000,
  idleMs: 20_000,
  maxResponseBytes: Number.MAX_SAFE_INTEGER,
  onOverflow: 'fail',
  maxRedirects: 3,
} as const;

/** Starts a download. Throws if it fails; reading the stream throws if it ends early. */
export const downloadPublicOutput = async (
  provider: string,
  { url }: EngineOutput,
  { open }: Pick<Outbound, 'open'>,
): Promise<EngineDownload> => {
  const stream = await open(url, { method: 'GET', ...bounds });
  if (stream.status !== 200) {
    stream.close();
    throw new Error(`the storage of ${provider} responded with ${stream.status} to a download`);
  }
  const announced = Number(stream.headers['content-length']);
  return { body: stream.body, ...(announced >= 0 && { bytes: announced }) };
};
