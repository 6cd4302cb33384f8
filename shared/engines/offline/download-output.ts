/** The bytes of an output: the download may take its time, but not stand still. */
import type { EngineDownload, EngineOutcome, EngineOutput, EngineProgress } from '../engine.ts';
import { type RequestEngine, timeLimitMs, unexpectedAnswer } from './engine-request.ts';

/**
 * The outcome with its files named by their path below the base: an engine that was started again on another port still
 * has them.
 */
export const withRelativeOutputs = <State extends EngineProgress | EngineOutcome>(state: State, base: URL): State =>
  state.status === 'done'
    ? { ...state, outputs: state.outputs.map((output) => ({ ...output, url: output.url.replace(base.href, '') })) }
    : state;

/** The path below the base of a file there; throws for an address anywhere else. */
const filePath = (url: string, base: URL): string => {
  const { href } = new URL(url, base);
  if (!href.startsWith(`${base.href}v1/files/`)) throw new Error('the output is not a file of the offline engine');
  return href.slice(base.href.length);
};

export const downloadOutput = async (
  output: EngineOutput,
  base: URL,
  request: RequestEngine,
): Promise<EngineDownload> => {
  const path = filePath(output.url, base);
  const stalled = new AbortController();
  const limit = () => setTimeout(() => stalled.abort(new Error(`no byte came for ${timeLimitMs} ms`)), timeLimitMs);

  let timer = limit();
  const response = await request({ path, signal: stalled.signal }).finally(() => clearTimeout(timer));
  const { body } = response;
  if (response.status !== 200 || !body) throw unexpectedAnswer('a download', response.status);

  async function* parts(stream: AsyncIterable<Uint8Array>) {
    timer = limit();
    try {
      for await (const part of stream) {
        clearTimeout(timer);
        yield part;
        timer = limit();
      }
    } finally {
      clearTimeout(timer);
    }
  }
  const announced = Number(response.headers.get('content-length') ?? Number.NaN);
  return { body: parts(body), ...(announced >= 0 && { bytes: announced }) };
};
