/** A provider with the protocol of fal.ai that quotes its input and its own texts in every response. */
import type { IncomingMessage } from 'node:http';
import { type LocalServer, localServer } from '../../support/local-server.ts';
import type { Words } from './canaries.ts';

const textOf = async (request: IncomingMessage): Promise<string> =>
  Buffer.concat(await Array.fromAsync(request)).toString();

/**
 * Jobs are accepted, and fail with a text about their input, except transcriptions, in which a speaker requests
 * failures. A description and a ranking fail if their data request it. `learn` receives the callback URL of each job.
 */
export function talkativeProvider(
  { providerWords: words, spoken }: Words,
  learn: (callbackUrl: string) => void,
): Promise<LocalServer> {
  const inputs = new Map<string, string>();

  function responseTo(path: string, text: string): { readonly status: number; readonly body: object } {
    const requestId = /\/requests\/([^/]+)/.exec(path)?.[1];
    const talk = { type: 'content_policy_violation', loc: ['body'], msg: words, input: inputs.get(requestId ?? '') };
    const said = [spoken, 'says', 'plan', 'failed.'].map((word, at) => ({
      text: word,
      start: at / 2,
      end: (at + 1) / 2,
      type: 'word',
    }));
    if (path.endsWith('/status')) return { status: 200, body: { status: 'COMPLETED', logs: [{ message: words }] } };
    if (requestId?.startsWith('talk-')) return { status: 200, body: { language_code: 'por', words: said } };
    if (requestId !== undefined) return { status: 422, body: { detail: [talk] } };
    if (path.startsWith('/openrouter')) {
      const written = { title: words, description: words };
      return text.includes('plan failed')
        ? { status: 500, body: { detail: `${words}: ${text}` } }
        : { status: 200, body: { output: JSON.stringify(written) } };
    }
    const id = `${path.includes('speech-to-text') ? 'talk' : 'job'}-${inputs.size}`;
    inputs.set(id, text);
    const url = `/fal-ai/job/requests/${id}`;
    const urls = { status_url: `${url}/status`, response_url: url, cancel_url: `${url}/cancel` };
    return { status: 200, body: { request_id: id, ...urls, message: words } };
  }

  return localServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider');
    const callbackUrl = searchParams.get('fal_webhook');
    if (callbackUrl !== null) learn(callbackUrl);
    const { status, body } = responseTo(pathname, await textOf(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
}
