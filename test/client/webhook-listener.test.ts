/** The webhook listener of the client package, with a service that signs and a program behind the listener. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandOf } from '../../client/cli/listener-commands.ts';
import { commandsText, listenerOptions } from '../../client/cli/listener-options.ts';
import { startWebhookListener, type WebhookListener } from '../../client/cli/webhook-listener.ts';
import { closeServer, listen } from '../../fakes/listen.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const body = '{"event":"task.completed","taskId":"task-1"}';
const token = 'token-of-the-webhooks';

let closing: AsyncDisposableStack;
let lines: string[];
let serviceUrl: string;
/** What the program behind the listener received, and what it responds. */
let passedOn: { id: string; body: string }[];
let programStatus: number;
let programUrl: string;

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((request, response) => void handle(request, response));
  const port = await listen(server, 0);
  closing.defer(() => closeServer(server));
  return `http://127.0.0.1:${port}`;
}

beforeEach(async () => {
  closing = new AsyncDisposableStack();
  [lines, passedOn, programStatus] = [[], [], 204];
  const keys = JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] });
  serviceUrl = await serve((_request, response) => response.end(keys));
  programUrl = await serve(async (request, response) => {
    const id = String(request.headers['webhook-id']);
    passedOn.push({ id, body: Buffer.concat(await Array.fromAsync(request)).toString() });
    response.writeHead(programStatus).end();
  });
});
afterEach(() => closing.disposeAsync());

async function start(args: readonly string[] = []): Promise<WebhookListener> {
  const flags = ['webhooks', '--port', '0', '--base-url', serviceUrl, ...args];
  const listener = await startWebhookListener(listenerOptions(flags, { WEBHOOK_TOKEN: token }), (line) => {
    lines.push(line);
  });
  closing.defer(() => listener.close());
  return listener;
}

/** Sends a webhook as the service does; returns the status of the response. */
async function deliver({ url }: WebhookListener, changed: { sent?: string; token?: string; age?: number } = {}) {
  const timestamp = String(Math.floor(Date.now() / 1000) - (changed.age ?? 0));
  const signature = sign(null, Buffer.from(`id-1.${timestamp}.${body}`), privateKey).toString('base64');
  const standard = { 'webhook-id': 'id-1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,${signature}` };
  const headers = { ...standard, 'x-webhook-token': changed.token ?? token, 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: changed.sent ?? body })).status;
}

describe('the webhook listener', () => {
  test('shows each webhook, verified, and says which ids it has seen before', async () => {
    const listener = await start();
    expect(await deliver(listener)).toBe(204);
    await deliver(listener);
    const text = lines.join('\n');
    expect(text).toContain('#1 id-1\nverified: the signature and the webhook token\n{\n  "event": "task.completed",');
    expect(text).toContain('#2 id-1, the same as #1');
  });

  test.each([
    ['a changed body', { sent: body.replace('completed', 'failed') }, 'The body was changed on the way'],
    ['the webhook token of another API token', { token: 'other' }, 'the task belongs to another API token'],
    ['an old timestamp', { age: 301 }, 'signed more than 5 minutes ago'],
  ])('says why it does not verify a webhook with %s', async (_title, changed, reason) => {
    await deliver(await start(), changed);
    expect(lines.join('\n')).toMatch(new RegExp(`NOT VERIFIED: .*${reason}`));
  });

  test('replaces control characters, which could take over a terminal', async () => {
    await deliver(await start(), { sent: 'red: \u001B[31m' });
    expect(lines.join('\n')).not.toContain('\u001B');
  });

  test('responds to webhooks with the status that was chosen at start or typed later', async () => {
    const listener = await start(['--status', '503']);
    expect(await deliver(listener)).toBe(503);
    await commandOf('s 410', listener, { write: (line) => lines.push(line), stop: () => undefined });
    expect(await deliver(listener)).toBe(410);
  });

  test('forwards webhooks unchanged, returns the program’s response, and sends webhooks again when asked', async () => {
    programStatus = 500;
    const listener = await start(['--forward', programUrl]);
    expect(await deliver(listener)).toBe(500);
    await commandOf('r 1', listener, { write: (line) => lines.push(line), stop: () => undefined });
    expect(passedOn).toEqual([
      { id: 'id-1', body },
      { id: 'id-1', body },
    ]);
  });

  test('responds 502 when the program to which it forwards webhooks is down', async () => {
    expect(await deliver(await start(['--forward', 'http://127.0.0.1:1/']))).toBe(502);
  });

  test.each([
    ['r', 'There is no webhook with this number.'],
    ['s 99', 'The status after s must be a whole number from 200 to 599.'],
    ['d x', 'The delay after d must be a whole number from 0 to 60.'],
    ['help', commandsText],
  ])('explains what is wrong with the typed line “%s”', async (line, message) => {
    await commandOf(line, await start(), { write: (text) => lines.push(text), stop: () => undefined });
    expect(lines.at(-1)).toBe(message);
  });

  test.each([
    [['--port', '70000'], '--port must be a whole number from 0 to 65535.'],
    [['--status', '700'], '--status must be a whole number from 200 to 599.'],
    [['--forward', 'file:///etc'], '--forward must be an http or https URL.'],
    [['extra'], 'The command must be “webhooks”.'],
  ])('rejects the options %j', (args, message) => {
    expect(() => listenerOptions(['webhooks', ...args], {})).toThrow(message);
  });
});
