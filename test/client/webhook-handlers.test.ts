/** The package's webhook handlers, each in the framework that it is made for. */
import { createServer, request as requestOf, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type WebhookEvent, type WebhookHandlers, webhookHandlers, webhookKeys } from '../../client/webhooks.ts';
import { closeServer, listen } from '../../fakes/listen.ts';
import fixture from './webhooks.json' with { type: 'json' };

const { cases, keys, now, statuses, webhookToken } = fixture;
const [completed] = cases;
const forged = cases.find(({ title }) => title === 'a changed body');
const stolen = cases.find(({ title }) => title === 'the webhook token of another account');
if (!completed || !forged || !stolen) throw new Error('the fixture lacks cases');

type Case = (typeof cases)[number];

let events: WebhookEvent[];
let rejections: string[];
let errors: unknown[];
let handle: (event: WebhookEvent) => unknown;
let keysUp: boolean;
let laterSeconds: number;
let handlers: WebhookHandlers;

const keyServer: typeof globalThis.fetch = async () =>
  keysUp ? Response.json({ keys }) : new Response('down', { status: 503 });

beforeEach(() => {
  [events, rejections, errors, keysUp, laterSeconds] = [[], [], [], true, 0];
  handle = (event) => events.push(event);
  handlers = webhookHandlers(
    {
      baseUrl: 'https://api.example.com',
      webhookToken,
      fetch: keyServer,
      now: () => (now + laterSeconds) * 1000,
      onRejected: (reason) => rejections.push(reason),
      onError: (error) => errors.push(error),
    },
    (event) => handle(event),
  );
});

/** Sends a webhook as the service does, and resolves with the status of the response. */
const send = (port: number, { headers, body }: Case): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const given = { ...headers, 'content-type': 'application/json' };
    requestOf({ port, host: '127.0.0.1', path: '/webhooks', method: 'POST', headers: given }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end(body);
  });

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const serve = async (server: Server): Promise<number> => {
  closing.push(() => closeServer(server));
  return listen(server, 0);
};

async function serveExpress(parser?: RequestHandler): Promise<number> {
  const app = express();
  if (parser) app.use(parser);
  app.post('/webhooks', handlers.node);
  const server = app.listen(0);
  closing.push(() => closeServer(server));
  return (server.address() as AddressInfo).port;
}

const frameworks: Readonly<Record<string, () => Promise<(sent: Case) => Promise<number | undefined>>>> = {
  async 'a server of Node'() {
    const port = await serve(createServer((request, response) => void handlers.node(request, response)));
    return (sent) => send(port, sent);
  },
  async Express() {
    const port = await serveExpress();
    return (sent) => send(port, sent);
  },
  async 'Express with raw bodies'() {
    const port = await serveExpress(express.raw({ type: 'application/json' }));
    return (sent) => send(port, sent);
  },
  async Fastify() {
    const app = fastify();
    app.register(handlers.fastify('/webhooks'));
    app.post('/other', ({ body }) => body);
    closing.push(() => app.close());
    await app.listen({ port: 0, host: '127.0.0.1' });
    // Only the path of the webhook handler receives the raw body.
    expect((await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } })).json()).toEqual({ a: 1 });
    return (sent) => send((app.server.address() as AddressInfo).port, sent);
  },
  async Hono() {
    const app = new Hono();
    app.post('/webhooks', handlers.hono);
    app.onError((_, context) => context.body(null, 500));
    return async ({ headers, body }) =>
      (await app.request('/webhooks', { method: 'POST', headers: headers as Record<string, string>, body })).status;
  },
  async 'a function of a Request'() {
    return async ({ headers, body }) => {
      const init = { method: 'POST', headers: headers as Record<string, string>, body };
      return handlers.fetch(new Request('https://shop.example.com', init)).then(
        ({ status }) => status,
        () => 500,
      );
    };
  },
};

describe.each(Object.entries(frameworks))('the webhook handler for %s', (_, start) => {
  test('passes on the event of a genuine webhook, and responds with the status of success', async () => {
    expect(await (await start())(completed)).toBe(statuses.handled);
    expect(events).toEqual([JSON.parse(completed.body)]);
    expect(rejections).toEqual([]);
  });

  test('responds to a forged webhook and to one for another account with the status that both clients share, and says why', async () => {
    const deliver = await start();
    expect([await deliver(forged), await deliver(stolen)]).toEqual([statuses.rejected, statuses.rejected]);
    expect(rejections).toEqual(['no matching signature', 'wrong webhook token']);
    expect(events).toEqual([]);
  });

  test('responds 500 if the event cannot be handled, so that the webhook is sent again', async () => {
    const deliver = await start();
    handle = () => Promise.reject(new Error('the database is down'));
    expect(await deliver(completed)).toBe(500);
    handle = (event) => events.push(event);
    expect(await deliver(completed)).toBe(204);
  });

  test('responds 503 while the keys cannot be fetched, and recovers when they are requested again', async () => {
    const deliver = await start();
    keysUp = false;
    expect(await deliver(completed)).toBe(statuses['keys not available']);
    keysUp = true;
    laterSeconds = 5;
    expect(await deliver(completed)).toBe(204);
  });
});

test('the webhook handler for Express reports a body that a JSON parser has already read', async () => {
  const port = await serveExpress(express.json());
  expect(await send(port, completed)).toBe(400);
  expect(rejections).toEqual(['body is not text or bytes']);
});

test('the webhook handler for Node rejects a body of over a megabyte, and reports errors of the application', async () => {
  const port = await serve(createServer((request, response) => void handlers.node(request, response)));
  expect(await send(port, { ...completed, body: `"${'x'.repeat(1_100_000)}"` })).toBe(400);
  handle = () => {
    throw new Error('the database is down');
  };
  expect(await send(port, completed)).toBe(500);
  expect(errors).toEqual([new Error('the database is down')]);
});

describe('the webhook keys that a client caches', () => {
  const url = 'https://api.example.com/.well-known/webhook-keys.json';
  let fetched: string[];
  let at: number;
  const fetch: typeof globalThis.fetch = async (input) => {
    fetched.push(input as string);
    return Response.json({ keys: fetched.length > 1 ? keys : [] });
  };
  beforeEach(() => {
    [fetched, at] = [[], now * 1000];
  });

  test('are fetched once in five minutes, however many webhooks arrive', async () => {
    const get = webhookKeys({ baseUrl: 'https://api.example.com/', fetch, now: () => at });
    await Promise.all([get(false), get(false)]);
    at += 299_999;
    await get(false);
    expect(fetched).toEqual([url]);
    at += 1;
    await get(false);
    expect(fetched).toEqual([url, url]);
  });

  test('are fetched again when no signature matches, so that a new key is found at once', async () => {
    const get = webhookKeys({ baseUrl: 'https://api.example.com', fetch, now: () => at });
    await get(false);
    at += 60_000;
    const options = { keys: get, now: at - 60_000, webhookToken };
    const { verifyWebhook } = await import('../../client/webhooks.ts');
    expect(await verifyWebhook({ ...completed, headers: completed.headers, ...options })).toMatchObject({ ok: true });
    expect(fetched).toHaveLength(2);
  });

  test('are fetched again at most every five seconds, however many forged webhooks arrive', async () => {
    const get = webhookKeys({ baseUrl: 'https://api.example.com', fetch, now: () => at });
    for (let second = 0; second < 10; second += 1) {
      await Promise.all([get(true), get(true)]);
      at += 1000;
    }
    expect(fetched).toHaveLength(2);
  });

  test('stay in use while their address fails, which is asked at most every five seconds', async () => {
    let status = 200;
    const failing: typeof globalThis.fetch = async (input) => {
      fetched.push(input as string);
      return Response.json({ keys }, { status });
    };
    const get = webhookKeys({ baseUrl: 'https://api.example.com', fetch: failing, now: () => at });
    await get(false);
    status = 503;
    at += 6000;
    for (let forged = 0; forged < 3; forged += 1) await expect(get(true)).rejects.toThrow('503');
    expect(await get(false)).toEqual({ keys });
    expect(fetched).toHaveLength(2);
    at += 300_000;
    await expect(get(false)).rejects.toThrow('503');
    status = 200;
    at += 5000;
    expect(await get(false)).toEqual({ keys });
  });
});
