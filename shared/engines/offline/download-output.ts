/** Downloads an output; a download may take long, but must not stall. */
import type { EngineDownload, EngineOutcome, EngineOutput, EngineProgress } from '../engine.ts';
import { type RequestEngine, timeLimitMs, unexpectedResponse } from './engine-request.ts';

const relative = ({ url, posterUrl, ...output }: EngineOutput, base: URL): EngineOutput => ({
  ...output,
  url: url.replace(base.href, ''),
  ...(posterUrl !== undefined && { posterUrl: posterUrl.replace(base.href, '') }),
});

/**
 * Replaces the URLs of files by paths below the base URL, which stay valid when the engine restarts on another port.
 */
export const withRelativeOutputs = <State extends EngineProgress | EngineOutcome>(state: State, base: URL): State =>
  state.status === 'done' ? { ...state, outputs: state.outputs.map((output) => relative(output, base)) } : state;

/** The path of a file below the base URL; throws for any other URL. */
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
  const limit = () => setTimeout(() => stalled.abort(new Error(`no data arrived for ${timeLimitMs} ms`)), timeLimitMs);

  let timer = limit();
  const response = await request({ path, signal: stalled.signal }).finally(() => clearTimeout(timer));
  const { body } = response;
  if (response.status !== 200 || !body) throw unexpectedResponse('a download', response.status);

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
