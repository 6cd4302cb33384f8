/** The image operations that Bedrock supports, through the service with a fake of Bedrock. */

import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BedrockFake, startBedrockFake } from '../../fakes/bedrock/bedrock-fake.ts';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { type ImageHost, imageHost } from '../support/image-host.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';

const endpoint = 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME';

let host: TestService;
let fake: BedrockFake;
let images: ImageHost;
let account: TestAccount;

beforeAll(async () => {
  const image = await sharp({ create: { width: 96, height: 80, channels: 3, background: '#7a6' } })
    .png()
    .toBuffer();
  [fake, images] = await Promise.all([
    startBedrockFake(),
    imageHost({
      'small.png': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(image),
    }),
  ]);
  host = await testService({ environment: { [settingVariables.engines]: 'bedrock', [endpoint]: fake.url } });
  account = await host.account({ credits: 100 });
});
afterAll(async () => {
  await Promise.all([host.close(), fake.close(), images.close()]);
});

const post = (operationId: OperationId, body: object) => host.call(operationId, { token: account.token, body });

async function made(operationId: OperationId, body: object) {
  const response = await post(operationId, body);
  expect(response.status).toBe(202);
  return host.ended(account.token, (response.body.data as { taskId: string }).taskId);
}

test.for<[OperationId, () => object, object]>([
  ['generateImage', () => ({ prompt: 'um farol', aspectRatio: '16:9' }), {}],
  ['removeBackground', () => ({ imageUrl: images.url('small.png') }), { width: 96, height: 80 }],
  ['upscaleImage', () => ({ imageUrl: images.url('small.png'), scale: 4 }), { width: 384, height: 320 }],
])('with Bedrock, %s completes and its result is in the service’s own storage', async ([operationId, body, size]) => {
  const task = await made(operationId, body());
  expect(task).toMatchObject({ status: 'completed', results: [{ contentType: 'image/png', ...size }] });
  const result = await sharp(await (await fetch(task.resultUrl ?? '')).arrayBuffer()).metadata();
  expect(result).toMatchObject({ format: 'png', ...size });
});

test('content that the Bedrock model filters is rejected and refunded', async () => {
  const before = await host.service.context.accounts.find(account.accountId);
  const task = await made('generateImage', { prompt: 'um farol [bedrock:filtered-prompt]' });
  expect(task).toMatchObject({ status: 'failed', error: { code: 'CONTENT_REJECTED' }, creditsRefunded: 4 });
  expect((await host.service.context.accounts.find(account.accountId))?.balance).toBe(before?.balance);
  await host.audit();
});

test.for<[OperationId, () => object, string]>([
  ['generateImage', () => ({ prompt: 'um farol', numImages: 2 }), 'numImages must be 1'],
  ['generateImage', () => ({ prompt: 'um farol', aspectRatio: '3:4' }), 'aspectRatio must be one of '],
  ['upscaleImage', () => ({ imageUrl: images.url('small.png'), scale: 2 }), 'scale must be 4'],
])(
  'with Bedrock, %s with a field that no model supports is rejected with the field’s name',
  async ([operationId, body, message]) => {
    const { status, body: response } = await post(operationId, body());
    expect([status, response.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.error?.message).toContain(message);
  },
);

test.for<[OperationId, () => object]>([
  ['enhanceSkin', () => ({ imageUrl: images.url('small.png') })],
  ['generateVoice', () => ({ text: 'Olá', voice: 'sarah' })],
])(
  'with Bedrock, %s is rejected before anything is charged because no model supports it',
  async ([operationId, body]) => {
    const { status, body: response } = await post(operationId, body());
    expect([status, response.error?.code]).toEqual([502, 'GENERATION_FAILED']);
  },
);
