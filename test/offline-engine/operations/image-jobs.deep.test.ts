import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, workProcesses } from '../engine-client.ts';
import { type ImageEngine, startImageEngine } from '../image-client.ts';

let engine: ImageEngine;
beforeAll(async () => {
  engine = await startImageEngine();
});
afterAll(() => engine.close());

describe('an image generation job', () => {
  it('does not block the engine, and is killed and its files deleted when it is canceled', async () => {
    const { reference } = await engine.submit('image', { prompt: 'Many', numImages: 4, aspectRatio: '1:1' });
    await eventually(
      async () => (await readdir(engine.filesDir)).some((name) => name.startsWith(reference)) || undefined,
    );
    expect((await workProcesses()).length).toBe(1);
    const canceled = await engine.request(`/v1/jobs/${reference}/cancel`, {});
    expect(await canceled.json()).toMatchObject({ status: 'canceled' });
    await eventually(async () => (await workProcesses()).length === 0 || undefined);
    await eventually(
      async () => (await readdir(engine.filesDir)).every((name) => !name.startsWith(reference)) || undefined,
    );
  });

  it('reports its progress', async () => {
    const { reference } = await engine.submit('image', { prompt: 'Progress', numImages: 4, aspectRatio: '21:9' });
    const progress = await eventually(async () => {
      const report = await engine.check(reference);
      return report.status === 'running' && report.progress > 0 ? report.progress : undefined;
    });
    expect(progress).toBeLessThan(100);
    expect((await engine.ended(reference)).outputs?.length).toBe(4);
  });

  it('leaves no files when it fails', async () => {
    const before = await readdir(engine.filesDir);
    const { reference } = await engine.submit('background-remove', { imageUrl: engine.at('nothing.png') });
    expect(await engine.ended(reference)).toMatchObject({ status: 'failed', error: { code: 'DOWNLOAD_FAILED' } });
    expect(await readdir(engine.filesDir)).toEqual(before);
  });
});
