/** The adapter to fal.ai for tests: with the fake, or with a server whose responses a test specifies. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import type { FalBehavior } from '../../../fakes/fal/fal-behavior.ts';
import { type FalFakeOptions, startFalFake } from '../../../fakes/fal/fal-fake.ts';
import { listen } from '../../../fakes/listen.ts';
import type { Engine, EngineAcceptance, EngineJob } from '../../../shared/engines/engine.ts';
import { type FalEngineAccess, falEngine } from '../../../shared/engines/fal/fal-engine.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { safeOpen } from '../../../shared/platform/safe-fetch.ts';
import { eventually } from '../../support/eventually.ts';

export const falKey = 'key-id:key-secret';

interface Closable {
  close(): Promise<void>;
}

const opened: Closable[] = [];

/** The server closes at the end of the test. */
export const open = <Thing extends Closable>(thing: Thing): Thing => {
  opened.push(thing);
  return thing;
};

export const closeAll = async (): Promise<void> => {
  for (const thing of opened.splice(0).toReversed()) await thing.close();
};

export const quick: Partial<FalBehavior> = { queueMs: 0, runMs: 0 };

export const adapterTo = (access: Pick<FalEngineAccess, 'queueUrl' | 'jwksUrl'> & Partial<FalEngineAccess>): Engine =>
  falEngine({
    key: async () => falKey,
    clock: systemClock,
    outbound: { open: safeOpen({ policy: 'local' }) },
    ...access,
  });

export const onFake = async (options: Partial<FalFakeOptions> = {}, access: Partial<FalEngineAccess> = {}) => {
  const fake = open(await startFalFake({ key: falKey, behavior: quick, retryDelaysMs: [20, 20, 20], ...options }));
  return { fake, engine: adapterTo({ queueUrl: fake.queueUrl, jwksUrl: fake.jwksUrl, ...access }) };
};

export const job = (changes: Partial<EngineJob> = {}): EngineJob => ({
  taskId: 'task-1',
  taskType: 'image',
  model: 'fal-ai/nano-banana-2',
  input: { prompt: 'a lighthouse' },
  callbackUrl: 'http://127.0.0.1:1/never?task=secret-address',
  keep: () => Promise.reject(new Error('nothing is stored here')),
  ...changes,
});

export const accepted = async (engine: Engine, changes: Partial<EngineJob> = {}): Promise<EngineAcceptance> => {
  const response = await engine.submit(job(changes));
  if (response.status !== 'accepted') throw new Error(`it was ${response.status}`);
  return response;
};

/** The final state of a job, including its loss. */
export const ended = (engine: Engine, reference: string) =>
  eventually('the end of a job', async () => {
    const state = await engine.check(reference);
    return 'progress' in state ? undefined : state;
  });

/** The thrown error as text with all its properties; a result is not an error. */
export const faultOf = async (act: Promise<unknown>): Promise<string> => {
  const error = await act.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('no Error was thrown');
  return inspect(error, { depth: 10, showHidden: true });
};

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export interface Written {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server whose responses a test specifies; undefined leaves the client waiting. */
export const withResponses = async (
  write: (asked: Asked, url: string) => Written | undefined,
  access: Partial<FalEngineAccess> = {},
) => {
  const asked: Asked[] = [];
  let url = '';
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    const question = { method, path, headers, body: await text(request) };
    asked.push(question);
    const written = write(question, url);
    if (!written) return;
    const { status, body, headers: more } = written;
    const content = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'Content-Type': 'application/json', ...more }).end(content);
  };
  const server = createServer((request, response) => void respond(request, response));
  url = `http://127.0.0.1:${await listen(server, 0)}`;
  open({
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  });
  const engine = adapterTo({ queueUrl: url, jwksUrl: `${url}/keys`, ...access });
  return { asked, url, engine };
};

/** A URL at which nothing listens. */
export const deadUrl = async (): Promise<string> => {
  const server = createServer();
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  server.close();
  await once(server, 'close');
  return url;
};

/** A response to a submission. */
export const receipt = (url: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  status: 'IN_QUEUE',
  request_id: 'request-1',
  response_url: `${url}/fal-ai/nano-banana-2/requests/request-1`,
  status_url: `${url}/fal-ai/nano-banana-2/requests/request-1/status`,
  cancel_url: `${url}/fal-ai/nano-banana-2/requests/request-1/cancel`,
  queue_position: 0,
  ...changes,
});

/** The reference contained in such a response. */
export const referenceTo = (paths: Readonly<Record<string, string>> = {}) =>
  JSON.stringify({
    id: 'request-1',
    status: 'fal-ai/nano-banana-2/requests/request-1/status',
    result: 'fal-ai/nano-banana-2/requests/request-1',
    cancel: 'fal-ai/nano-banana-2/requests/request-1/cancel',
    ...paths,
  });
