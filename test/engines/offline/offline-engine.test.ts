import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineJob } from '../../../shared/engines/engine.ts';
import { withRelativeOutputs } from '../../../shared/engines/offline/download-output.ts';
import { offlineEngine } from '../../../shared/engines/offline/offline-engine.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { engineKey, eventually, voiceInput } from '../../offline-engine/engine-client.ts';
import { closeAll, job, open, withEngine, withResponse } from './offline-subject.ts';

afterEach(closeAll);

const ended = (adapter: ReturnType<typeof offlineEngine>, reference: string) =>
  eventually(async () => {
    const state = await adapter.check(reference);
    return state.status === 'queued' || state.status === 'running' ? undefined : state;
  });

describe('the adapter to the offline engine', () => {
  it('submits a job, polls it until it is done and downloads the output', async () => {
    const { adapter } = await withEngine();
    const accepted = await adapter.submit(job());
    if (accepted.status !== 'accepted') throw new Error(`it was ${accepted.status}`);
    expect(accepted.completion).toBe('polling');

    const done = await ended(adapter, accepted.reference);
    if (done.status !== 'done') throw new Error(`it was ${done.status}`);
    const [output] = done.outputs;
    if (!output) throw new Error('there is no output');
    const { body } = await adapter.download(output);
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    expect(Buffer.concat(parts).toString('latin1', 0, 3)).toBe('ID3');
    expect(output.durationSec).toBeGreaterThan(0.5);

    expect(await adapter.submit(job())).toEqual(done);
  });

  it('returns the dimensions of an image and the error code of a failure', async () => {
    const { engine, adapter } = await withEngine();
    const submitted = async (taskId: string, taskType: string, input: EngineJob['input']) => {
      const accepted = await adapter.submit(job({ taskId, taskType, input }));
      if (accepted.status !== 'accepted') throw new Error(`it was ${accepted.status}`);
      return ended(adapter, accepted.reference);
    };
    const persona = { name: 'Luana', description: 'Moda', aspectRatio: '21:9' };
    expect(await submitted('drawn', 'influencer', persona)).toMatchObject({
      status: 'done',
      outputs: [{ contentType: 'image/png', width: 1536, height: 640 }],
    });
    const referenceImages = [`${engine.url}/nothing.png`];
    expect(await submitted('not downloaded', 'influencer', { ...persona, referenceImages })).toEqual({
      status: 'failed',
      code: 'DOWNLOAD_FAILED',
    });
  });

  it.each([{ width: 0 }, { width: 10.5 }, { height: '640' }])(
    'rejects a response with the invalid image dimensions %o',
    async (size) => {
      const output = { url: 'http://127.0.0.1:1/v1/files/a.png', contentType: 'image/png', width: 4, height: 3 };
      const { adapter } = await withResponse(200, {
        reference: 'r',
        status: 'done',
        outputs: [{ ...output, ...size }],
      });
      await expect(adapter.check('r')).rejects.toThrow(/offline engine/);
    },
  );

  it('recognizes a video and its poster by their paths', () => {
    const video = { contentType: 'video/mp4', width: 720, height: 1280, durationSec: 5 };
    const at = (base: string) => [{ ...video, url: `${base}v1/files/a.mp4`, posterUrl: `${base}v1/files/a-1.jpg` }];
    const base = new URL('http://127.0.0.1:1/');
    expect(withRelativeOutputs({ status: 'done', outputs: at(base.href) }, base)).toEqual({
      status: 'done',
      outputs: at(''),
    });
  });

  it('downloads the output of a job even if the engine was restarted on another port', async () => {
    const filesDir = mkdtempSync(join(tmpdir(), 'offline-engine-files-'));
    open({ close: async () => rmSync(filesDir, { recursive: true, force: true }) });
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

  it.each([
    [{ failure: 'reject' }, {}, { status: 'failed', code: 'CONTENT_REJECTED' }],
    [{}, { taskType: 'sing' }, { status: 'failed', code: 'INPUT_INVALID' }],
  ] as const)(
    'returns the engine’s rejection as the outcome of the job: with the settings %j and the changed fields %j',
    async (options, changes, outcome) => {
      const { adapter } = await withEngine(options);
      expect(await adapter.submit(job(changes))).toEqual(outcome);
    },
  );

  it('reports that a job failed, was canceled or is unknown', async () => {
    const { adapter } = await withEngine({ failure: 'fail', latencyMs: 200 });
    const [failing, canceled] = await Promise.all(['a', 'b'].map((taskId) => adapter.submit(job({ taskId }))));
    if (failing?.status !== 'accepted' || canceled?.status !== 'accepted') throw new Error('both are accepted');
    await adapter.cancel(canceled.reference);
    await adapter.cancel('unknown');

    expect(await adapter.check(canceled.reference)).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
    expect(await ended(adapter, failing.reference)).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
    expect(await adapter.check('unknown')).toEqual({ status: 'lost' });
  });

  it('reports a hanging job as running', async () => {
    const { adapter } = await withEngine({ failure: 'hang' });
    const accepted = await adapter.submit(job());
    if (accepted.status !== 'accepted') throw new Error(`it was ${accepted.status}`);
    expect(await adapter.check(accepted.reference)).toEqual({ status: 'running', progress: 0 });
  });

  it('throws without quoting the key if the engine rejects it', async () => {
    const { adapter } = await withEngine({}, 'the wrong key');
    for (const act of [() => adapter.submit(job()), () => adapter.check('x'), () => adapter.cancel('x')]) {
      const error = await act().catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(/responded with 401/);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('the wrong key');
    }
  });

  it('throws if the engine is unreachable', async () => {
    const adapter = offlineEngine({ url: 'http://127.0.0.1:1', key: async () => engineKey, clock: systemClock });
    await expect(adapter.submit(job())).rejects.toThrow();
    await expect(adapter.check('x')).rejects.toThrow();
  });

  it.each([
    [500, {}],
    [200, { reference: 'r', status: 'queued', progress: 0 }],
    [202, { status: 'queued', progress: 0 }],
    [202, 'no JSON'],
  ])('throws if the response to a submission has status %i and the body %o', async (status, body) => {
    await expect((await withResponse(status, body)).adapter.submit(job())).rejects.toThrow(/offline engine/);
  });

  it('maps an unknown error code to PROVIDER_ERROR', async () => {
    const { adapter } = await withResponse(422, { error: { code: 'OUT_OF_INK', message: 'x' } });
    expect(await adapter.submit(job())).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
  });

  const known = { field: 'videoUrl', reason: 'too-long' };
  it.each([
    [known, { detail: 'videoUrl is longer than the duration that was charged for' }],
    [
      { ...known, reason: 'too-large' },
      { detail: 'videoUrl has too many bytes or a side of over 4096 pixels: make it smaller' },
    ],
    [{ ...known, reason: 'unreadable' }, { detail: 'videoUrl is not a readable MP4, MOV, WebM or Matroska file' }],
    [{ field: 'maskUrl', reason: 'unreadable' }, { detail: 'maskUrl is not a readable JPEG, PNG or WebP file' }],
    [{ ...known, reason: 'unreachable', text: 'of the engine' }, { detail: 'videoUrl could not be downloaded' }],
    [
      { field: 'imageUrl', reason: 'no-subject' },
      { detail: 'imageUrl shows no subject that stands out from its background' },
    ],
    [{ ...known, reason: 'text of the engine' }, {}],
    [{ ...known, field: 'text of the engine' }, {}],
    ['text of the engine', {}],
  ])('reports a known field and reason, and never the engine’s own text: %j', async (problem, named) => {
    const error = { code: 'INPUT_INVALID', message: 'text of the engine', problem };
    const { adapter } = await withResponse(202, { reference: 'r', status: 'failed', progress: 0, error });
    expect(await adapter.submit(job())).toEqual({ status: 'failed', code: 'INPUT_INVALID', ...named });
  });

  it('passes the callback URL to the engine only if the engine is to report completion by callback', async () => {
    const { adapter, asked, url } = await withResponse(202, { reference: 'r', status: 'queued', progress: 0 });
    const polling = offlineEngine({
      url: `${url}/`,
      key: async () => engineKey,
      clock: systemClock,
      completion: 'polling',
    });
    expect(await adapter.submit(job())).toEqual({ status: 'accepted', reference: 'r', completion: 'callback' });
    expect(await polling.submit(job())).toEqual({ status: 'accepted', reference: 'r', completion: 'polling' });

    const order = { id: 'task-1', operation: 'voice', input: voiceInput() };
    expect(asked.map(({ body }) => JSON.parse(body))).toEqual([{ ...order, callbackUrl: job().callbackUrl }, order]);
    expect(asked.map((request) => request.url)).toEqual(['/v1/jobs', '/v1/jobs']);
  });

  it('escapes an unusual job reference, so that it stays below the engine’s own URL', async () => {
    const { adapter, asked } = await withResponse(404, {});
    await adapter.check('../files/x?y');
    expect(asked[0]?.url).toBe('/v1/jobs/..%2Ffiles%2Fx%3Fy');
  });

  it('follows no redirect', async () => {
    const { adapter, asked } = await withResponse(302, '', { Location: '/v1/elsewhere' });
    await expect(adapter.check('x')).rejects.toThrow();
    expect(asked.length).toBe(1);
  });

  it('downloads files from the engine only', async () => {
    const { adapter, asked, url } = await withResponse(200, 'content');
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
    const { body } = await adapter.download({ url: `${url}/v1/files/a.mp3`, contentType: 'audio/mpeg' });
    expect(Buffer.concat(await Array.fromAsync(body)).toString()).toBe('content');
  });

  it('throws if the output file was deleted', async () => {
    const { engine, adapter } = await withEngine();
    const gone = { url: `${engine.url}/v1/files/${'0'.repeat(32)}.mp3`, contentType: 'audio/mpeg' };
    await expect(adapter.download(gone)).rejects.toThrow(/responded with 404/);
  });
});
