import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { OfflineEngineOptions } from '../../../infra/local/offline-engine/offline-engine.ts';
import type { EngineJob } from '../../../shared/engines/engine.ts';
import { offlineEngine } from '../../../shared/engines/offline/offline-engine.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { startReceiver } from '../../infra/offline-engine/callback-receiver.ts';
import { engineKey, eventually, startEngine, voiceInput } from '../../infra/offline-engine/engine-client.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of opened.splice(0).toReversed()) await thing.close();
});

const job = (changes: Partial<EngineJob> = {}): EngineJob => ({
  taskId: 'task-1',
  taskType: 'voice',
  input: voiceInput(),
  callbackUrl: 'http://127.0.0.1:1/never',
  ...changes,
});

const withEngine = async (options: Partial<OfflineEngineOptions> = {}, key = engineKey) => {
  const engine = await startEngine(options);
  opened.push(engine);
  return {
    engine,
    adapter: offlineEngine({ url: engine.url, key: async () => key, clock: systemClock, reports: 'asking' }),
  };
};

/** An engine that gives one answer to everything and remembers what it was asked. */
const withAnswer = async (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const asked: { url: string; body: string }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push({ url: request.url ?? '', body: await text(request) });
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({
    async close() {
      server.closeAllConnections();
      server.close();
    },
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, url, adapter: offlineEngine({ url, key: async () => engineKey, clock: systemClock }) };
};

const ended = (adapter: ReturnType<typeof offlineEngine>, reference: string) =>
  eventually(async () => {
    const state = await adapter.check(reference);
    return state.status === 'queued' || state.status === 'running' ? undefined : state;
  });

describe('the adapter to the offline engine', () => {
  it('submits a job, asks for it until it is done and downloads the output', async () => {
    const { adapter } = await withEngine();
    const accepted = await adapter.submit(job());
    if (accepted.status !== 'accepted') throw new Error(`it was ${accepted.status}`);
    expect(accepted.reports).toBe('asking');

    const done = await ended(adapter, accepted.reference);
    if (done.status !== 'done') throw new Error(`it was ${done.status}`);
    const [output] = done.outputs;
    if (!output) throw new Error('there is no output');
    const { body, contentType } = await adapter.download(output);
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    expect(contentType).toBe('audio/mpeg');
    expect(Buffer.concat(parts).toString('latin1', 0, 3)).toBe('ID3');
    expect(output.durationSec).toBeGreaterThan(0.5);

    expect(await adapter.submit(job())).toEqual(done);
  });

  it('downloads the output of a job from an engine that was started again on another port', async () => {
    const filesDir = mkdtempSync(join(tmpdir(), 'offline-engine-files-'));
    opened.push({ close: async () => rmSync(filesDir, { recursive: true, force: true }) });
    const { adapter: before } = await withEngine({ filesDir });
    const accepted = await before.submit(job());
    if (accepted.status !== 'accepted') throw new Error(`it was ${accepted.status}`);
    const done = await ended(before, accepted.reference);
    const [output] = done.status === 'done' ? done.outputs : [];
    if (!output) throw new Error('there is no output');
    const { adapter: after } = await withEngine({ filesDir });
    const { body } = await after.download(output);
    expect(Buffer.concat(await Array.fromAsync(body)).toString('latin1', 0, 3)).toBe('ID3');
  });

  it('reads the callbacks of the engine, and no others', async () => {
    const { engine } = await withEngine({ latencyMs: 600 });
    const adapter = offlineEngine({ url: engine.url, key: async () => engineKey, clock: systemClock });
    const receiver = await startReceiver();
    opened.push(receiver);
    expect(await adapter.submit(job({ callbackUrl: receiver.url }))).toMatchObject({ reports: 'callback' });
    const last = await receiver.arrived(({ status }) => status === 'done');
    const [first] = receiver.received;
    if (!first) throw new Error('nothing arrived');

    expect(await adapter.readCallback(first)).toEqual({ status: 'running', progress: 0 });
    expect(await adapter.readCallback(last)).toMatchObject({
      status: 'done',
      outputs: [{ contentType: 'audio/mpeg' }],
    });
    expect(await adapter.readCallback({ ...last, body: last.body.replace('100', '99') })).toBeUndefined();
    expect(await adapter.readCallback({ ...last, body: first.body })).toBeUndefined();
    expect(await adapter.readCallback({ ...last, headers: {} })).toBeUndefined();
    const other = offlineEngine({ url: engine.url, key: async () => 'another key', clock: systemClock });
    expect(await other.readCallback(last)).toBeUndefined();
  });

  it('refuses a callback that is over five minutes old or early, or whose signature is none', async () => {
    const now = 1_800_000_000;
    const adapter = offlineEngine({
      url: 'http://127.0.0.1:1',
      key: async () => engineKey,
      clock: { now: () => now * 1000 },
    });
    const body = JSON.stringify({ reference: 'r', status: 'running', progress: 40.7 });
    const read = (seconds: number | string, signature?: string) => {
      const right = createHmac('sha256', engineKey).update(`${seconds}.${body}`).digest('hex');
      const headers = { 'x-engine-timestamp': `${seconds}`, 'x-engine-signature': signature ?? right };
      return adapter.readCallback({ headers, body });
    };

    for (const seconds of [now, now - 300, now + 300]) {
      expect(await read(seconds)).toEqual({ status: 'running', progress: 40 });
    }
    for (const seconds of [now - 301, now + 301, 0, '', 'NaN', '-1', `${now}.0`, '1e10']) {
      expect(await read(seconds)).toBeUndefined();
    }
    for (const signature of ['', '00', 'f'.repeat(64), 'z'.repeat(64), 'é'.repeat(64)]) {
      expect(await read(now, signature)).toBeUndefined();
    }
  });

  it.each([
    ['no JSON', 'done'],
    ['another form', JSON.stringify({ reference: 'r', status: 'finished' })],
    ['an end without an output', JSON.stringify({ reference: 'r', status: 'done', outputs: [] })],
    ['progress that is no number', JSON.stringify({ reference: 'r', status: 'running', progress: '5' })],
  ])('refuses a signed callback of %s', async (_, body) => {
    const adapter = offlineEngine({
      url: 'http://127.0.0.1:1',
      key: async () => engineKey,
      clock: { now: () => 1000 },
    });
    const signature = createHmac('sha256', engineKey).update(`1.${body}`).digest('hex');
    const headers = { 'x-engine-timestamp': '1', 'x-engine-signature': signature };
    expect(await adapter.readCallback({ headers, body })).toBeUndefined();
  });

  it.each([
    [{ failure: 'refuse' }, {}, { status: 'failed', code: 'CONTENT_REJECTED' }],
    [{}, { taskType: 'sing' }, { status: 'failed', code: 'INPUT_INVALID' }],
  ] as const)('makes an outcome of a refusal: %o %o', async (options, changes, outcome) => {
    const { adapter } = await withEngine(options);
    expect(await adapter.submit(job(changes))).toEqual(outcome);
  });

  it('says that a job failed, was canceled or is unknown', async () => {
    const { adapter } = await withEngine({ failure: 'fail', latencyMs: 200 });
    const [failing, canceled] = await Promise.all(['a', 'b'].map((taskId) => adapter.submit(job({ taskId }))));
    if (failing?.status !== 'accepted' || canceled?.status !== 'accepted') throw new Error('both are accepted');
    await adapter.cancel(canceled.reference);
    await adapter.cancel('unknown');

    expect(await adapter.check(canceled.reference)).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
    expect(await ended(adapter, failing.reference)).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
    expect(await adapter.check('unknown')).toEqual({ status: 'lost' });
  });

  it('says of a job that hangs that it is running', async () => {
    const { adapter } = await withEngine({ failure: 'hang' });
    const accepted = await adapter.submit(job());
    if (accepted.status !== 'accepted') throw new Error(`it was ${accepted.status}`);
    expect(await adapter.check(accepted.reference)).toEqual({ status: 'running', progress: 0 });
  });

  it('throws when the engine does not take its key, and does not tell the key', async () => {
    const { adapter } = await withEngine({}, 'the wrong key');
    for (const act of [() => adapter.submit(job()), () => adapter.check('x'), () => adapter.cancel('x')]) {
      const error = await act().catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(/answered 401/);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('the wrong key');
    }
  });

  it('throws when the engine is not there', async () => {
    const adapter = offlineEngine({ url: 'http://127.0.0.1:1', key: async () => engineKey, clock: systemClock });
    await expect(adapter.submit(job())).rejects.toThrow();
    await expect(adapter.check('x')).rejects.toThrow();
  });

  it.each([
    [500, {}],
    [200, { reference: 'r', status: 'queued', progress: 0 }],
    [202, { status: 'queued', progress: 0 }],
    [202, 'no JSON'],
  ])('throws when a submission is answered with %i %o', async (status, body) => {
    await expect((await withAnswer(status, body)).adapter.submit(job())).rejects.toThrow(/offline engine/);
  });

  it('takes an error code that it does not know for the provider’s own fault', async () => {
    const { adapter } = await withAnswer(422, { error: { code: 'OUT_OF_INK', message: 'x' } });
    expect(await adapter.submit(job())).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
  });

  it('gives the engine the callback address only when it may call', async () => {
    const { adapter, asked, url } = await withAnswer(202, { reference: 'r', status: 'queued', progress: 0 });
    const asking = offlineEngine({ url: `${url}/`, key: async () => engineKey, clock: systemClock, reports: 'asking' });
    expect(await adapter.submit(job())).toEqual({ status: 'accepted', reference: 'r', reports: 'callback' });
    expect(await asking.submit(job())).toEqual({ status: 'accepted', reference: 'r', reports: 'asking' });

    const order = { id: 'task-1', operation: 'voice', input: voiceInput() };
    expect(asked.map(({ body }) => JSON.parse(body))).toEqual([{ ...order, callbackUrl: job().callbackUrl }, order]);
    expect(asked.map((request) => request.url)).toEqual(['/v1/jobs', '/v1/jobs']);
  });

  it('keeps a strange reference inside its own addresses', async () => {
    const { adapter, asked } = await withAnswer(404, {});
    await adapter.check('../files/x?y');
    expect(asked[0]?.url).toBe('/v1/jobs/..%2Ffiles%2Fx%3Fy');
  });

  it('follows no redirect', async () => {
    const { adapter, asked } = await withAnswer(302, '', { Location: '/v1/elsewhere' });
    await expect(adapter.check('x')).rejects.toThrow();
    expect(asked.length).toBe(1);
  });

  it('downloads from nowhere but the files of the engine', async () => {
    const { adapter, asked, url } = await withAnswer(200, 'content');
    const elsewhere = [
      'http://example.com/v1/files/a.mp3',
      `${url.replace('127.0.0.1', 'localhost')}/v1/files/a.mp3`,
      `${url.replace('http://', 'http://user@')}/v1/files/a.mp3`,
      `${url}.example.com/v1/files/a.mp3`,
      `${url}/v1/jobs/x`,
      `${url}/v1/files/../jobs/x`,
      `${url}/v1/files/%2e%2e/jobs/x`,
      'file:///etc/passwd',
      'nothing',
    ];
    for (const address of elsewhere) {
      await expect(adapter.download({ url: address, contentType: 'audio/mpeg' })).rejects.toThrow();
    }
    expect(asked).toEqual([]);
    expect((await adapter.download({ url: `${url}/v1/files/a.mp3`, contentType: 'audio/mpeg' })).contentType).toBe(
      'audio/mpeg',
    );
  });

  it('throws when the file of an output is gone', async () => {
    const { engine, adapter } = await withEngine();
    const gone = { url: `${engine.url}/v1/files/${'0'.repeat(32)}.mp3`, contentType: 'audio/mpeg' };
    await expect(adapter.download(gone)).rejects.toThrow(/answered 404/);
  });
});
