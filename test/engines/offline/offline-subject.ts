/** The adapter to the offline engine for tests: with the engine, or with a server whose response a test specifies. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { OfflineEngineOptions } from '../../../offline-engine/offline-engine.ts';
import type { EngineJob } from '../../../shared/engines/engine.ts';
import { offlineEngine } from '../../../shared/engines/offline/offline-engine.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { engineKey, startEngine, voiceInput } from '../../offline-engine/engine-client.ts';

const opened: { close(): Promise<void> }[] = [];

/** The server closes at the end of the test. */
export const open = <Thing extends { close(): Promise<void> }>(thing: Thing): Thing => {
  opened.push(thing);
  return thing;
};

export const closeAll = async (): Promise<void> => {
  for (const thing of opened.splice(0).toReversed()) await thing.close();
};

export const job = (changes: Partial<EngineJob> = {}): EngineJob => ({
  taskId: 'task-1',
  taskType: 'voice',
  input: voiceInput(),
  callbackUrl: 'http://127.0.0.1:1/never',
  keep: () => Promise.reject(new Error('nothing is stored here')),
  ...changes,
});

/** The adapter to a working engine. */
export const withEngine = async (options: Partial<OfflineEngineOptions> = {}, key = engineKey) => {
  const engine = open(await startEngine(options));
  return {
    engine,
    adapter: offlineEngine({ url: engine.url, key: async () => key, clock: systemClock, completion: 'polling' }),
  };
};

/** An engine that gives the same response to every request and records the requests. */
export const withResponse = async (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const asked: { url: string; body: string }[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push({ url: request.url ?? '', body: await text(request) });
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open({
    async close() {
      server.closeAllConnections();
      server.close();
    },
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, url, adapter: offlineEngine({ url, key: async () => engineKey, clock: systemClock }) };
};
