/** Products with generated texts: the writer's input, its time limit, and the effects of its failures. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { describedProductsPerDay } from '../../../shared/contracts/limits.ts';
import { countOnDay } from '../../../shared/domain/count-on-day.ts';
import { findFigures } from '../../../shared/domain/figures/figures-store.ts';
import { productTextsCost } from '../../../shared/domain/figures/product-texts.ts';
import { imageKey } from '../../../shared/domain/files/file.ts';
import { dayCountsKey } from '../../../shared/domain/keys.ts';
import type { Rejection } from '../../../shared/domain/rejection.ts';
import { createProduct } from '../../../shared/domain/studio/create-product.ts';
import { dayAt, secondsToMidnight } from '../../../shared/platform/clock.ts';
import { fileStorage } from '../../../shared/platform/file-storage.ts';
import { outbound } from '../../../shared/platform/outbound.ts';
import { pause } from '../../../shared/platform/pause.ts';
import type { NoTexts, TextWriter } from '../../../shared/text-writers/text-writer.ts';
import { imageHost } from '../../support/image-host.ts';
import { type TestAccount, testService } from '../../support/test-service.ts';
import { tinyPng } from '../../support/tiny-image.ts';
import { uploadFile } from '../../support/upload-file.ts';

let account: TestAccount;
/** How long the download of `slow.png` takes on the service's clock. */
let slowMs: number;

const [host, images] = await Promise.all([
  testService(),
  imageHost({
    'slow.png': (response) => {
      host.clock.advance(slowMs);
      response.end(tinyPng(12, 9));
    },
  }),
]);
afterAll(() => Promise.all([host.close(), images.close()]));
beforeEach(async () => {
  account = await host.account({ planId: 'pro' });
});

const texts = { title: 'Caneca azul', description: 'Uma caneca de cerâmica.' };

function create(body: object, describeProduct: TextWriter['describeProduct']) {
  const { context } = host.service;
  const ports = { fileStorage: fileStorage(context), outbound: outbound(context), textWriter: { describeProduct } };
  const { accountId } = account;
  return createProduct({ ...context, ...ports, pause }, { accountId, body, idempotency: undefined });
}

const productsOf = () => host.service.context.products.list(account.accountId, { limit: 10, offset: 0 });

test('the product text writer receives the images by URL and by file, the given text, and nothing else', async () => {
  const png = tinyPng(40, 30);
  const seen: unknown[] = [];
  const fileId = await uploadFile(host, account.token, png);
  const body = { images: [images.url()], productFileIds: [fileId], title: 'Caneca' };
  await create(body, async (product) => {
    seen.push(product);
    return texts;
  });
  const contentType = 'image/png';
  expect(seen).toEqual([
    {
      images: [
        { bytes: tinyPng(12, 9), contentType, width: 12, height: 9 },
        { bytes: png, contentType, width: 40, height: 30 },
      ],
      given: { title: 'Caneca' },
    },
  ]);
  expect(await productsOf()).toMatchObject([{ ...texts, title: 'Caneca' }]);
});

test('texts are generated for so many products of an account on a day, however many requests are concurrent', async () => {
  const left = 7;
  const { clock, table } = host.service.context;
  const at = clock.now();
  const used = { name: 'descriptions', by: describedProductsPerDay - left, limit: describedProductsPerDay, at };
  await table.update(countOnDay(dayCountsKey(account.accountId, dayAt(at)), used));
  let asked = 0;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      create({ images: [images.url()] }, async () => {
        asked += 1;
        return asked % 2 === 0 ? texts : { problem: 'the answer is not in the required form' };
      }).catch(({ kind, details }: Rejection) => ({ kind, wait: details.retryAfterSeconds })),
    ),
  );
  expect(asked).toBe(left);
  const waits = answers.flatMap((answer) => ('kind' in answer && answer.kind === 'rate-limited' ? answer.wait : []));
  expect(waits).toHaveLength(20 - left);
  expect(Math.min(...waits.map(Number))).toBeGreaterThan(0);
  expect(Math.max(...waits.map(Number))).toBeLessThanOrEqual(secondsToMidnight(at));
  await create({ ...texts, images: [images.url()] }, () => Promise.reject(new Error('nothing is generated')));
  host.clock.advance(secondsToMidnight(at) * 1000);
  await create({ images: [images.url()] }, async () => texts);
  expect(await productsOf()).toHaveLength(5);
});

test('what a language model charges for texts is counted for the account and day, also if none are usable', async () => {
  const { clock, table } = host.service.context;
  const use = { engine: 'fal', readTokens: 100, writtenTokens: 50, statedMicros: 300 } as const;
  await create({ images: [images.url()] }, async (_product, _limit, onUse) => {
    onUse?.(use);
    return texts;
  });
  const failed = create({ images: [images.url()] }, async (_product, _limit, onUse) => {
    onUse?.(use);
    onUse?.({ engine: 'bedrock', readTokens: 1000, writtenTokens: 500 });
    return { problem: 'failed' };
  });
  await expect(failed).rejects.toMatchObject({ kind: 'generation-failed' });
  const day = dayAt(clock.now());
  expect(await findFigures(table, account.accountId, day)).toMatchObject({
    'cost createStudioProduct fal': 600,
    'cost createStudioProduct bedrock': 60 + 120,
  });
  expect(await productTextsCost(table, account.accountId, day)).toBe(780);
});

describe('the time limit of the product text writer', () => {
  const body = () => ({ images: [images.url('slow.png')] });

  test('is what the downloads have left of 24 seconds', async () => {
    slowMs = 20_000;
    const limits: number[] = [];
    await create(body(), async (_product, timeLimitMs) => {
      limits.push(timeLimitMs);
      return texts;
    });
    expect(limits).toEqual([expect.any(Number)]);
    expect(limits[0]).toBeLessThanOrEqual(4_000);
    expect(limits[0]).toBeGreaterThan(0);
  });

  test('ends the request even if the writer never responds', async () => {
    slowMs = 24_000;
    await expect(create(body(), () => new Promise(() => undefined))).rejects.toMatchObject({
      kind: 'generation-failed',
      details: { internal: 'the time limit was reached' },
    });
    expect(await productsOf()).toEqual([]);
  });
});

describe('a product text writer that fails', () => {
  const general = 'The title or the description could not be generated from the images';

  test.for<[NoTexts, string]>([
    [{ problem: 'the answer is not in the required form' }, `${general}.`],
    [
      { problem: 'x', expectation: 'at least one image must be small' },
      `${general}: at least one image must be small.`,
    ],
  ])('with %j rejects the request with a message for the client', async ([noTexts, message]) => {
    const rejected = create({ images: [images.url()] }, async () => noTexts);
    await expect(rejected).rejects.toMatchObject({
      kind: 'generation-failed',
      details: { message, internal: noTexts.problem },
    });
  });

  test('with an internal error throws that error', async () => {
    const fault = new TypeError('a bug');
    await expect(create({ images: [images.url()] }, () => Promise.reject(fault))).rejects.toBe(fault);
  });

  test('leaves no product, no kept file and no image at a permanent address', async () => {
    const png = tinyPng(40, 30);
    const fileId = await uploadFile(host, account.token, png);
    const { files, clock, settings } = host.service.context;
    const [file] = await files.findMany(account.accountId, [fileId], clock.now());
    if (!file) throw new Error('the file is missing');
    const isStored = async () =>
      (await fetch(`${settings.resultsUrl}/${imageKey(file, png, 'image/png')}`)).status === 200;
    await create({ productFileIds: [fileId] }, async () => ({ problem: 'failed' })).catch(() => undefined);
    expect([await productsOf(), await files.findMany(account.accountId, [fileId], clock.now())]).toEqual([[], [file]]);
    expect(await isStored()).toBe(false);
    await create({ productFileIds: [fileId] }, async () => texts);
    expect(await isStored()).toBe(true);
  });
});
