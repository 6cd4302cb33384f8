/** The service with the fake of fal.ai, which lets the offline engine generate its images. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FalFault } from '../../../fakes/fal/fal-faults.ts';
import { offlineFiles } from '../../../fakes/fal/offline-files.ts';
import { listen } from '../../../fakes/listen.ts';
import { type SampleServer, startSampleServer } from '../../../infra/demo/images/sample-server.ts';
import { startOfflineEngine } from '../../../offline-engine/offline-engine.ts';
import { eventually } from '../../support/eventually.ts';
import { type ServiceWithFake, serviceWithFake } from '../../support/service-with-fake.ts';

const { signal } = new AbortController();
let samples: SampleServer;
let host: ServiceWithFake;

beforeAll(async () => {
  [samples, host] = await Promise.all([startSampleServer(), serviceWithFake('fal-fake')]);
});
afterAll(() => Promise.all([host.close(), samples.close()]));

test('a generated image and one without background are returned through the fal.ai fake as the offline engine makes them', async () => {
  const body = { prompt: 'A lighthouse', aspectRatio: '21:9' } as const;
  const { bytes: drawn } = await host.resultOf(await host.api.generateImage({ body }), 'fal');
  expect(await sharp(drawn).metadata()).toMatchObject({ format: 'png', width: 1536, height: 640 });
  expect((await sharp(drawn).stats()).entropy).toBeGreaterThan(5);

  const imageUrl = samples.urlOf('astronaut.jpg');
  const removed = await host.api.removeBackground({ body: { imageUrl, format: 'webp' } });
  const { bytes: file } = await host.resultOf(removed, 'fal');
  expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 });
  const alpha = await sharp(file).extractChannel('alpha').raw().toBuffer();
  for (const value of [0, 255]) expect(alpha.filter((one) => one === value).length).toBeGreaterThan(0.2 * 512 * 512);
});

test('failures of the offline engine are reported as fal.ai’s errors, and images are converted to the requested format', async () => {
  const key = 'key-of-the-engine';
  const filesDir = join(host.dataDir, 'other-engine');
  const engine = await startOfflineEngine({ key, filesDir, latencyMs: 0, failure: 'none' });
  try {
    const make = offlineFiles({ url: engine.url, key });
    const cutOut = (address: string) => make('fal-ai/birefnet/v2', { image_url: address }, signal);
    const edit = (prompt: string) =>
      make(
        'fal-ai/nano-banana-2/edit',
        { prompt, image_urls: [samples.urlOf('coffee.png')], output_format: 'jpeg' },
        signal,
      );
    await expect(cutOut(`${samples.url}/nothing.png`)).rejects.toEqual(new FalFault('file_download_error'));
    await expect(cutOut('ftp://example.com/a.png')).rejects.toEqual(new FalFault('image_load_error'));
    await expect(edit('warmer [offline:reject]')).rejects.toEqual(new FalFault('content_policy_violation'));
    await expect(edit('warmer [offline:fail]')).rejects.toEqual(new FalFault('downstream_service_error'));

    const [edited] = await edit('warmer');
    expect(edited).toMatchObject({ contentType: 'image/jpeg', width: 300, height: 200 });
    expect((await sharp(edited?.bytes).metadata()).format).toBe('jpeg');
  } finally {
    await engine.close();
  }
});

test('an offline engine job of the fal.ai fake is canceled when its result is no longer needed', async () => {
  const stop = new AbortController();
  const asked: string[] = [];
  const engine = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const running = JSON.stringify({ reference: 'job-1', status: 'running', progress: 0 });
    response.writeHead(request.url === '/v1/jobs' ? 202 : 200).end(running);
    if (request.method === 'GET') stop.abort(new Error('the result is no longer needed'));
  });
  try {
    const make = offlineFiles({ url: `http://127.0.0.1:${await listen(engine, 0)}`, key: 'key' });
    await expect(make('fal-ai/nano-banana-2', { prompt: 'a lighthouse' }, stop.signal)).rejects.toThrow();
    await eventually('the cancellation', () => asked.includes('POST /v1/jobs/job-1/cancel') || undefined);
  } finally {
    engine.closeAllConnections();
    engine.close();
  }
});
