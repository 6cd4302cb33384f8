import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { type OfflineEngineOptions, startOfflineEngine } from '../../offline-engine/offline-engine.ts';
import { imageHost } from '../support/image-host.ts';
import { startReceiver } from './callback-receiver.ts';
import { engineKey, eventually, startEngine, voiceInput, workProcesses } from './engine-client.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of opened.splice(0).toReversed()) await thing.close();
});

const engineWith = async (changes: Partial<OfflineEngineOptions> = {}) => {
  const engine = await startEngine(changes);
  opened.push(engine);
  return engine;
};
const receiverWith = async (...reply: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...reply);
  opened.push(receiver);
  return receiver;
};

const longInput = voiceInput({ text: 'O vídeo ficou pronto em poucos segundos. '.repeat(48) });

/** The status of the response for a path that is sent unchanged; `fetch` would normalize it. */
const statusOf = async (url: string, path: string) => {
  const request = get(`${url}/`, { path, headers: { Authorization: `Bearer ${engineKey}` } });
  const [response] = await once(request, 'response');
  response.resume();
  return response.statusCode as number;
};

describe('the offline engine', () => {
  it('rejects requests without its key', async () => {
    const { url } = await engineWith();
    for (const headers of [{}, { Authorization: 'Bearer wrong' }, { Authorization: engineKey }]) {
      for (const path of ['/v1/jobs/x', '/v1/files/x.mp3', '/']) {
        expect((await fetch(url + path, { headers })).status).toBe(401);
      }
    }
  });

  it('does not start without a key', async () => {
    const options = { key: '', filesDir: '/never/made', latencyMs: 0, failure: 'none' } as const;
    await expect(startOfflineEngine(options)).rejects.toThrow('needs a key');
  });

  it('logs why a job failed', async () => {
    const lines: string[] = [];
    const engine = await engineWith({ failure: 'fail', onFailure: (line) => lines.push(line) });
    const { reference } = await engine.submit(voiceInput());
    await engine.ended(reference);
    expect(lines).toEqual([expect.stringContaining(`${reference} (voice): PROVIDER_ERROR: `)]);
  });

  it('reports the field and the reason if an input file cannot be used', async () => {
    const engine = await engineWith();
    const input = { videoUrl: 'https://10.0.0.1/film.mp4', seconds: 60, clipCount: 3 };
    const { reference } = await engine.submit(input, { operation: 'cortes' });
    const error = { code: 'DOWNLOAD_FAILED', problem: { field: 'videoUrl', reason: 'unreachable' } };
    expect(await engine.ended(reference)).toMatchObject({ status: 'failed', error });
  });

  it('queues a job, runs it and serves its file', async () => {
    const engine = await engineWith();
    const accepted = await engine.submit(voiceInput());
    expect(accepted).toEqual({ reference: expect.stringMatching(/^[0-9a-f]{32}$/), status: 'queued', progress: 0 });

    const done = await engine.ended(accepted.reference);
    expect(done).toEqual({
      reference: accepted.reference,
      status: 'done',
      progress: 100,
      outputs: [
        {
          url: `${engine.url}/v1/files/${accepted.reference}.mp3`,
          contentType: 'audio/mpeg',
          durationSec: expect.any(Number),
        },
      ],
    });
    const file = await engine.request(done.outputs?.[0]?.url ?? '');
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect(file.headers.get('content-length')).toBe((await file.arrayBuffer()).byteLength.toString());
  });

  it('cuts clips of a video that it has downloaded', async () => {
    const engine = await engineWith();
    const film = join(engine.filesDir, 'film.mp4');
    await ffmpeg({ arguments: ['-f', 'lavfi', '-t', '2', '-i', 'testsrc=s=160x90:r=10', film], timeLimitSeconds: 60 });
    const bytes = await readFile(film);
    const host = await imageHost({ 'film.mp4': (response) => void response.end(bytes) });
    opened.push(host);
    const input = { videoUrl: host.url('film.mp4'), seconds: 2, clipCount: 1 };
    const { reference } = await engine.submit(input, { operation: 'cortes' });
    expect(await engine.ended(reference)).toMatchObject({ status: 'done', outputs: [{ contentType: 'video/mp4' }] });
  });

  it('creates only one job for a job id, even if it is submitted again', async () => {
    const engine = await engineWith();
    const submissions = Array.from({ length: 5 }, () => engine.submit(voiceInput(), { id: 'one' }));
    const references = new Set((await Promise.all(submissions)).map(({ reference }) => reference));
    expect(references.size).toBe(1);
    const [reference = ''] = references;
    await engine.ended(reference);
    expect(await engine.submit(voiceInput(), { id: 'one' })).toMatchObject({ reference, status: 'done' });
  });

  it('runs two jobs at a time while the others wait', async () => {
    const engine = await engineWith({ latencyMs: 600_000 });
    const jobs = await Promise.all([1, 2, 3].map(() => engine.submit(voiceInput())));
    const statuses = () => Promise.all(jobs.map(async ({ reference }) => (await engine.check(reference)).status));
    const seen = await eventually(async () => {
      const now = await statuses();
      return now.filter((status) => status === 'running').length === 2 ? now : undefined;
    });
    expect(seen.toSorted()).toEqual(['queued', 'running', 'running']);
    const running = jobs.filter((_, index) => seen[index] === 'running');
    await engine.cancel(running[0]?.reference ?? '');
    await eventually(async () => ((await statuses()).includes('queued') ? undefined : true));
    expect((await statuses()).toSorted()).toEqual(['canceled', 'running', 'running']);
  });

  it.each([
    ['an unknown operation', { id: 'x', operation: 'sing', input: voiceInput() }],
    ['an invalid input', { id: 'x', operation: 'voice', input: voiceInput({ text: '' }) }],
    ['a missing id', { operation: 'voice', input: voiceInput() }],
    ['an invalid callback URL', { id: 'x', operation: 'voice', input: voiceInput(), callbackUrl: 'file:///x' }],
    ['a body that is not a job', 'nothing'],
  ])('rejects %s as INPUT_INVALID', async (_, order) => {
    const response = await (await engineWith()).request('/v1/jobs', order);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'INPUT_INVALID' } });
  });

  it('rejects a job of over 1 MiB', async () => {
    const engine = await engineWith();
    expect((await engine.request('/v1/jobs', { id: 'x'.repeat(2 ** 20) })).status).toBe(413);
  });

  it('responds with 404 to unknown jobs and paths', async () => {
    const engine = await engineWith();
    for (const path of ['/v1/jobs/unknown', '/v1/files/unknown.mp3', '/v1', '/']) {
      expect((await engine.request(path)).status).toBe(404);
    }
    expect((await engine.request('/v1/jobs/unknown/cancel', {})).status).toBe(404);
  });

  it('serves only results, and no other file inside or outside its folder', async () => {
    const engine = await engineWith();
    await writeFile(join(engine.filesDir, 'secret.mp3'), 'secret');
    const { reference } = await engine.submit(voiceInput());
    await engine.ended(reference);
    const folder = engine.filesDir.split('/').at(-1);
    for (const path of [
      'secret.mp3',
      `../${folder}/secret.mp3`,
      `..%2f${folder}%2fsecret.mp3`,
      '%2fetc%2fpasswd',
      '',
    ]) {
      expect(await statusOf(engine.url, `/v1/files/${path}`)).toBe(404);
    }
    expect(await statusOf(engine.url, `/v1/files/../files/${reference}.mp3`)).toBe(404);
    expect(await statusOf(engine.url, `/v1/files/${reference}.mp3`)).toBe(200);
  });

  it('stops a canceled job and its child process, and sends no more callbacks about it', async () => {
    const engine = await engineWith();
    const receiver = await receiverWith();
    const { reference } = await engine.submit(longInput, { callbackUrl: `${receiver.url}/canceled` });
    await eventually(async () => (await workProcesses()).some((command) => command.includes('espeak')) || undefined);

    expect(await engine.cancel(reference)).toMatchObject({ status: 'canceled' });
    await eventually(async () => ((await workProcesses()).length === 0 ? true : undefined));
    await engine.submit(voiceInput(), { callbackUrl: `${receiver.url}/next` });
    await receiver.arrived(({ path, status }) => path === '/next' && status === 'done');

    expect(await engine.check(reference)).toEqual({ reference, status: 'canceled', progress: expect.any(Number) });
    const reported = receiver.received.filter(({ path }) => path === '/canceled').map(({ status }) => status);
    expect(reported.filter((status) => status !== 'running')).toEqual([]);
  });

  it('never runs a job that was canceled while it was waiting', async () => {
    const engine = await engineWith({ latencyMs: 600_000 });
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => engine.submit(voiceInput())));
    if (!first || !second || !third) throw new Error('three jobs were submitted');
    await engine.cancel(third.reference);
    await Promise.all([first, second].map(({ reference }) => engine.cancel(reference)));
    expect(await engine.check(third.reference)).toMatchObject({ status: 'canceled', progress: 0 });
  });

  it('does not change a finished job that is canceled too late', async () => {
    const engine = await engineWith();
    const { reference } = await engine.submit(voiceInput());
    const done = await engine.ended(reference);
    expect(await engine.cancel(reference)).toEqual(done);
  });

  it('leaves no child process and no open port when it closes while working', async () => {
    const engine = await startEngine();
    await engine.submit(longInput);
    await engine.submit(longInput);
    await eventually(async () => (await workProcesses()).some((command) => command.includes('espeak')) || undefined);
    await engine.close();
    await eventually(async () => (await workProcesses()).length === 0 || undefined);
    await expect(engine.request('/v1/jobs/x')).rejects.toThrow();
  });

  it('with the failure setting `reject`, rejects jobs with CONTENT_REJECTED', async () => {
    const engine = await engineWith({ failure: 'reject' });
    const response = await engine.request('/v1/jobs', { id: 'x', operation: 'voice', input: voiceInput() });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'CONTENT_REJECTED' } });
  });

  it('with the failure setting `fail`, fails every job with PROVIDER_ERROR', async () => {
    const engine = await engineWith({ failure: 'fail' });
    const receiver = await receiverWith();
    const { reference } = await engine.submit(voiceInput(), { callbackUrl: receiver.url });
    const failed = await engine.ended(reference);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'PROVIDER_ERROR' } });
    expect(JSON.parse((await receiver.arrived(({ status }) => status === 'failed')).body)).toEqual(failed);
  });

  it('with the failure setting `hang`, runs every job forever and sends no callbacks', async () => {
    const engine = await engineWith({ failure: 'hang' });
    const receiver = await receiverWith();
    const jobs = await Promise.all([1, 2, 3].map(() => engine.submit(voiceInput(), { callbackUrl: receiver.url })));
    for (const { reference } of jobs) expect((await engine.check(reference)).status).toBe('running');
    expect(await engine.cancel(jobs[0]?.reference ?? '')).toMatchObject({ status: 'canceled' });
    expect(receiver.received).toEqual([]);
  });

  it('with the failure setting `lose-callback`, runs jobs that can be polled, but sends no callbacks', async () => {
    const engine = await engineWith({ failure: 'lose-callback' });
    const receiver = await receiverWith();
    const { reference } = await engine.submit(voiceInput(), { callbackUrl: receiver.url });
    expect(await engine.ended(reference)).toMatchObject({ status: 'done' });
    expect(receiver.received).toEqual([]);
  });

  it('applies a failure that a job’s input requests only to that job', async () => {
    const engine = await engineWith({});
    const wishing = (failure: string) => voiceInput({ text: `Olá. [offline:${failure}]` });
    const rejected = await engine.request('/v1/jobs', { id: 'x', operation: 'voice', input: wishing('reject') });
    expect(await rejected.json()).toMatchObject({ error: { code: 'CONTENT_REJECTED' } });
    const hanging = await Promise.all([1, 2, 3].map(() => engine.submit(wishing('hang'))));
    const { reference } = await engine.submit(wishing('fail'));
    expect(await engine.ended(reference)).toMatchObject({ status: 'failed', error: { code: 'PROVIDER_ERROR' } });
    const spared = await engine.submit(wishing('nothing of the kind'));
    expect(await engine.ended(spared.reference)).toMatchObject({ status: 'done' });
    for (const job of hanging) expect((await engine.check(job.reference)).status).toBe('running');
  });
});
