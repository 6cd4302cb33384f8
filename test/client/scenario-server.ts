/** Plays the server of a scenario: checks each request, and responds or fails as the scenario says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { closeServer, listen } from '../../fakes/listen.ts';
import type { Exchange, Expectation, ScriptedResponse } from './scenario.ts';

export interface ScenarioServer {
  readonly url: string;
  /** Replaces the exchanges that are still to come. */
  readonly play: (exchanges: readonly Exchange[]) => void;
  /** How the requests differ from the exchanges, including exchanges that did not take place. */
  readonly problems: () => readonly string[];
  readonly close: () => Promise<void>;
}

interface Received {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const formOf = async ({ request, body }: Received): Promise<[string, string][]> => {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(new Uint8Array(body), { headers }).formData();
  return Promise.all(
    [...form].map(async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()]),
  );
};

/** The body of a response; if the response has a fault, the client never reads the body to its end. */
function bodyOf({ data, error, text }: ScriptedResponse): string {
  if (text !== undefined) return text;
  return JSON.stringify(error ? { success: false, error } : { success: true, data: data ?? {} });
}

function respond(response: ServerResponse, scripted: ScriptedResponse): void {
  const { status = 200, headers = {}, fault, text } = scripted;
  if (fault === 'hang') return;
  if (fault === 'reset-before-head') {
    response.socket?.resetAndDestroy();
    return;
  }
  const body = Buffer.from(bodyOf(scripted));
  const half = body.subarray(0, body.length / 2);
  const sent = fault === 'cut' ? half : body;
  const type = text === undefined ? { 'Content-Type': 'application/json; charset=utf-8' } : {};
  response.writeHead(status, { ...type, 'Content-Length': String(sent.length), ...headers });
  if (fault === 'reset-after-head' || fault === 'truncated') {
    response.flushHeaders();
    if (fault === 'truncated') response.write(half);
    response.socket?.end();
    return;
  }
  response.end(sent);
}

export async function startScenarioServer(
  /** Called with the number of a request that gets no response. */
  onSilence: (request: number, isHanging: boolean) => void,
): Promise<ScenarioServer> {
  let coming: Exchange[] = [];
  let count = 0;
  let problems: string[] = [];
  const texts = new Map<string, string>();

  /** Whether a placeholder has the same value in every header, and no other placeholder has this value. */
  const isBound = (name: string, value: string): boolean => {
    const known = texts.get(name);
    if (known === undefined && [...texts.values()].includes(value)) return false;
    texts.set(name, known ?? value);
    return texts.get(name) === value;
  };
  const isHeader = (expected: string | null, value: string | undefined): boolean => {
    if (expected === null || value === undefined) return (value ?? null) === expected;
    return expected.startsWith('$') ? isBound(expected, value) : value === expected;
  };
  const check = async (received: Received, { method, path, headers = {}, body, form, bytes }: Expectation) => {
    const { request } = received;
    const found: Record<string, unknown> = { method: request.method, path: request.url };
    const wanted: Record<string, unknown> = { method, path };
    for (const [name, expected] of Object.entries(headers)) {
      const value = request.headers[name];
      if (!isHeader(expected, typeof value === 'string' ? value : undefined)) {
        found[name] = value;
        wanted[name] = expected;
      }
    }
    if (body !== undefined) [found.body, wanted.body] = [JSON.parse(received.body.toString()), body];
    if (form !== undefined) [found.form, wanted.form] = [await formOf(received), form];
    if (bytes !== undefined) [found.bytes, wanted.bytes] = [received.body.length, bytes];
    if (!isDeepStrictEqual(found, wanted))
      problems.push(`received ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bytesOf(request);
    count += 1;
    const exchange = coming.shift();
    if (exchange) await check({ request, body }, exchange.expect);
    else problems.push(`unexpected request: ${request.method} ${request.url}`);
    const scripted = exchange
      ? exchange.respond
      : { status: 400, error: { code: 'UNEXPECTED', message: 'unexpected' } };
    if (scripted) respond(response, scripted);
    if (!scripted || scripted.fault === 'hang') onSilence(count, scripted !== undefined);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => problems.push(String(error)));
  });
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  return {
    url,
    play: (exchanges) => {
      count = 0;
      problems = [];
      const text = JSON.stringify(exchanges).replaceAll('{{server}}', url);
      coming = (JSON.parse(text) as Exchange[]).flatMap((one) => Array.from({ length: one.repeat ?? 1 }, () => one));
    },
    problems: () => [...problems, ...coming.map(({ expect }) => `not received: ${expect.method} ${expect.path}`)],
    close: () => closeServer(server),
  };
}
