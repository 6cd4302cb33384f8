/** Invalid and oversized images: each is rejected, or its task fails and is refunded, within the budgets. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { failureMessage } from '../../shared/contracts/errors.ts';
import { inputLimits } from '../../shared/contracts/media.ts';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { type ImageResponse, imageHost } from '../support/image-host.ts';
import { type TestAccount, testService } from '../support/test-service.ts';
import { tinyPng } from '../support/tiny-image.ts';

const imageBytesLimit = inputLimits.image.maxBytes;
const png = tinyPng(12, 9);

/** How many bytes were sent for each path. */
const sent = new Map<string, number>();

/** Continues until the client disconnects. */
const endless =
  (name: string, first: Buffer): ImageResponse =>
  (response) => {
    const block = Buffer.alloc(65_536, 1);
    sent.set(name, 0);
    const more = (): void => {
      if (response.destroyed) return;
      sent.set(name, (sent.get(name) ?? 0) + block.length);
      if (response.write(block)) setImmediate(more);
      else response.once('drain', more);
    };
    response.writeHead(200, { 'content-type': 'image/png' });
    response.write(first);
    more();
  };

/** Sends single bytes slowly. */
const drip: ImageResponse = (response) => {
  response.writeHead(200, { 'content-type': 'image/png' });
  const dripping = async () => {
    for (const byte of png) {
      if (response.destroyed) return;
      response.write(Buffer.from([byte]));
      await sleep(1000);
    }
  };
  dripping().catch(() => response.destroy());
};

/** The beginning of a body with a declared length; the rest never arrives. */
const stalling =
  (beginning: Buffer, length: number): ImageResponse =>
  (response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': length });
    response.write(beginning);
  };

/** Responds in one way to the first request and in another to later ones. */
const firstThen = (first: ImageResponse, then: ImageResponse): ImageResponse => {
  let handler = first;
  return (response, request) => {
    handler(response, request);
    handler = then;
  };
};

const whole =
  (bytes: Buffer): ImageResponse =>
  (response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
  };

const responses: Readonly<Record<string, ImageResponse>> = {
  'page.png': whole(Buffer.from('<!doctype html><title>not an image</title>')),
  'endless.png': endless('endless.png', png),
  'drip.png': drip,
  'slow-wide.png': firstThen(
    stalling(tinyPng(1600, 900, { width: 1, height: 1 }), imageBytesLimit),
    whole(tinyPng(1600, 900)),
  ),
  'slow-bomb.png': stalling(tinyPng(9000, 9000, { width: 1, height: 1 }), imageBytesLimit),
  'hung-up.png': (response) => void response.destroy(),
  'private.png': (response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
};

let account: TestAccount;

const [host, images] = await Promise.all([testService(), imageHost(responses)]);
host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
afterAll(() => Promise.all([host.close(), images.close()]));
beforeEach(async () => {
  account = await host.account({ credits: 100 });
});

const post = (operationId: OperationId, body: object) => host.call(operationId, { token: account.token, body });

const standing = async () => {
  const found = await host.service.context.accounts.find(account.accountId);
  return { balance: found?.balance, openTasks: found?.openTasks };
};

async function made(operationId: OperationId, body: object) {
  const response = await post(operationId, body);
  expect(response.status).toBe(202);
  return host.ended(account.token, (response.body.data as { taskId: string }).taskId);
}

const untouched = { balance: 100, openTasks: [] };

describe('an image that is read while the client waits', () => {
  test.for([
    ['endless.png', /10 MB/],
    ['slow-bomb.png', /50 megapixels/],
  ] as const)(
    'is rejected with an error that names the field and the limit, and nothing is stored: %s',
    async ([path, message]) => {
      const response = await post('enhanceSkin', { imageUrl: images.url(path) });
      expect([response.status, response.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(response.body.error?.message).toMatch(/^imageUrl must /);
      expect(response.body.error?.message).toMatch(message);
      expect(await standing()).toEqual(untouched);
      // Data in transit when the connection is closed is not read.
      expect(sent.get(path) ?? 0).toBeLessThan(3 * imageBytesLimit);
    },
  );

  test.for(['page.png', 'hung-up.png'])(
    'counts as 1:1 if it is unreadable, and its task fails and is refunded: %s',
    async (path) => {
      const task = await made('enhanceSkin', { imageUrl: images.url(path) });
      expect((await host.service.context.tasks.find(task.id))?.derived).toEqual({ aspectRatio: '1:1' });
      expect(task).toMatchObject({ status: 'failed', creditsRefunded: 5 });
      expect(await standing()).toEqual(untouched);
    },
  );
});

test('an image that arrives byte by byte keeps no client waiting for long', async () => {
  const headers = { 'x-dry-run': 'true' };
  const body = { imageUrl: images.url('drip.png') };
  const response = await host.call('enhanceSkin', { token: account.token, body, headers });
  expect(response.body.data).toEqual({ cost: 5, balance: 100, operation: 'enhanceSkin' });
});

test('an image on a slow connection gets the aspect ratio that its header states', async () => {
  const task = await made('enhanceSkin', { imageUrl: images.url('slow-wide.png') });
  expect(task.status).toBe('completed');
  expect((await host.service.context.tasks.find(task.id))?.derived).toEqual({ aspectRatio: '16:9' });
});

describe('an image that the workflow downloads', () => {
  test.for([
    ['page.png', 'INPUT_INVALID', 'is not a readable JPEG, PNG or WebP file'],
    ['endless.png', 'INPUT_INVALID', 'must be at most 10 MB'],
    ['hung-up.png', 'DOWNLOAD_FAILED', 'could not be downloaded: the connection failed'],
    ['private.png', 'DOWNLOAD_FAILED', 'could not be downloaded: the address is not allowed'],
  ] as const)(
    'named %s fails its task with %s, a refund and an error that names the field: %s',
    async ([path, code, reason]) => {
      const task = await made('upscaleImage', { imageUrl: images.url(path), scale: 4 });
      expect(task).toMatchObject({
        status: 'failed',
        error: { code, message: failureMessage(code, `imageUrl ${reason}`) },
        creditsUsed: 4,
        creditsRefunded: 4,
      });
      expect(await standing()).toEqual(untouched);
      expect(host.engine.jobs.has(task.id)).toBe(false);
      await host.audit();
    },
  );

  test('that is the last of five makes the task fail just as the first one would', async () => {
    const right = images.url();
    const referenceImages = [right, right, right, images.url('page.png')];
    const task = await made('editImage', { imageUrl: right, prompt: 'mais claro', referenceImages });
    const message = failureMessage('INPUT_INVALID', 'referenceImages[3] is not a readable JPEG, PNG or WebP file');
    expect(task).toMatchObject({ status: 'failed', error: { code: 'INPUT_INVALID', message } });
    expect(await standing()).toEqual(untouched);
  });
});

describe('an accepted image input', () => {
  test('is passed to the engine at a URL of the service, while the account sees its own URL', async () => {
    const right = images.url();
    const body = { imageUrl: right, prompt: 'mais claro', referenceImages: [right, images.url('other.png')] };
    const task = await made('editImage', body);
    expect(task.input).toEqual(body);
    const { input } = await host.engine.jobOf(task.id);
    const { imageUrl, referenceImages } = input as { imageUrl: string; referenceImages: string[] };
    for (const address of [imageUrl, ...referenceImages]) {
      expect(address).toContain(`/inputs/${task.id}/`);
      const copy = await fetch(address);
      expect(copy.headers.get('content-type')).toBe('image/png');
      expect(Buffer.from(await copy.arrayBuffer())).toEqual(png);
    }
    expect(referenceImages).toHaveLength(2);
  });

  test('determines the aspect ratio for skin enhancement, which the engine receives and the account does not see', async () => {
    const task = await made('enhanceSkin', { imageUrl: images.url() });
    const { input } = await host.engine.jobOf(task.id);
    expect(input).toMatchObject({ aspectRatio: '4:3', textureLevel: 50, poresDetail: 50, lightingFix: true });
    expect(task.input).not.toHaveProperty('aspectRatio');
  });
});
