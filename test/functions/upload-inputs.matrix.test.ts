/** Uploads as inputs: every field for a file's URL accepts uploads of the same account, and no others. */
import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { wrapFunctions } from '../../infra/local/functions.ts';
import { localAccess } from '../../infra/local/local-access.ts';
import type { MediaKind } from '../../shared/contracts/media.ts';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { pathText } from '../../shared/contracts/user-addresses.ts';
import { exampleBody } from '../support/example-body.ts';
import { fileFieldsOf, placed } from '../support/file-fields.ts';
import { matrixRows } from '../support/matrix-rows.ts';
import { specification } from '../support/specification-table.ts';
import type { Limit } from '../support/specified-operation.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';
import { tinyPng } from '../support/tiny-image.ts';
import { tinyWav } from '../support/tiny-sound.ts';
import { tinyMp4 } from '../support/tiny-video.ts';
import { declareFile, sendForm, uploadedUrl } from '../support/upload-file.ts';

const types = { image: 'image/png', audio: 'audio/wav', video: 'video/mp4' } as const;

let host: TestService;
let account: TestAccount;
let uploads: Readonly<Record<MediaKind, string>>;
let expired: Readonly<Record<MediaKind, string>>;
let others: Readonly<Record<MediaKind, string>>;
let files: Readonly<Record<MediaKind, Buffer>>;
/** A hook that runs before a task's inputs are copied. */
let beforeStaging: () => Promise<unknown>;

beforeAll(async () => {
  files = { image: tinyPng(40, 30), audio: tinyWav(2), video: await tinyMp4(4) };
  host = await testService({
    functions: wrapFunctions((name, handler) => async (event, context) => {
      if (name === 'askEngine') await beforeStaging();
      return handler(event, context);
    }),
  });
  account = await host.account({ planId: 'business', credits: 100_000 });
  expired = await uploadAll(account);
  host.clock.advance(7 * 24 * 3_600_000);
  uploads = await uploadAll(account);
  others = await uploadAll(await host.account());
});
afterAll(() => host.close());

async function uploadAll({ token }: TestAccount): Promise<Record<MediaKind, string>> {
  beforeStaging = async () => undefined;
  const upload = (kind: MediaKind) => uploadedUrl(host, token, files[kind], types[kind]);
  const [image, audio, video] = await Promise.all([upload('image'), upload('audio'), upload('video')]);
  return { image, audio, video };
}

const contracts = Object.entries(registry) as [OperationId, OperationContract][];
const fields = contracts.flatMap(([id, { body }]) =>
  [...(body ? fileFieldsOf(body) : [])].map((field) => ({ id, field, name: pathText(field.path) })),
);

/** A dry run for operations that support it, because the rate limit is not tested here. */
async function callWith({ id, field }: (typeof fields)[number], url: string, token = account.token) {
  host.clock.advance(60_000);
  const example = exampleBody(id, uploads);
  const hasDryRun = (registry[id] as OperationContract).dryRun !== undefined;
  const headers: Record<string, string> = hasDryRun ? { 'x-dry-run': 'true' } : {};
  const body = placed(example, field.path, url);
  const response = await host.call(id, { token, headers, body });
  return { status: response.status, message: response.body.error?.message ?? '' };
}

/**
 * The fields in the specification that contain URLs of files; `callbackUrl` is excluded, because it leads to a
 * receiver.
 */
function placesOf(name: string, { kind }: Limit): readonly string[] {
  if (kind === 'url') return name === 'callbackUrl' ? [] : [name];
  if (kind === 'urls') return [`${name}[0]`];
  return kind === 'product images' ? [`${name}[0]`, `${name}[0].url`] : [];
}

test('uploads are accepted in exactly the fields that the specification describes as URLs of files', () => {
  const specified = Object.entries(specification).flatMap(([id, { body }]) =>
    Object.entries(body).flatMap(([field, limit]) => placesOf(field, limit).map((name) => `${id} ${name}`)),
  );
  expect(specified).toContain('createStudioProduct images[0].url');
  expect(fields.map(({ id, name }) => `${id} ${name}`).toSorted()).toEqual(specified.toSorted());
});

describe.each(matrixRows(fields))('an upload as $name of $id', (target) => {
  const kind = target.field.leadsTo;

  test('is accepted from its own account', async () => {
    const { status, message } = await callWith(target, uploads[kind]);
    expect([status, message]).toEqual([200, '']);
  });

  test('is rejected if it is another account’s, unknown, malformed or expired, always with the same response', async () => {
    const own = uploads[kind];
    const unknown = own.replace(/[^/]+$/, host.service.context.ids.next());
    const refused = await Promise.all(
      [others[kind], unknown, expired[kind], `${own}/x`, `${own}?x`].map((url) => callWith(target, url)),
    );
    const message = `${target.name} must be the url of one of the account's files, which are kept for 7 days`;
    expect(refused).toEqual(refused.map(() => ({ status: 400, message })));
  });

  test('is rejected if its content is not uploaded yet', async () => {
    const { url } = await declareFile(host, account.token, files[kind].length, types[kind]);
    const message = `${target.name} has not been uploaded yet`;
    expect(await callWith(target, url)).toEqual({ status: 400, message });
  });
});

test('an upload cannot be used as the callback URL of a webhook', async () => {
  const body = { text: 'Uma frase.', voice: 'sarah', callbackUrl: uploads.image };
  const respond = () => host.call('generateVoice', { token: account.token, body });
  expect((await host.withEnvironment({ URL_POLICY: 'public' }, respond)).status).toBe(400);
});

test('an upload that might expire before a task has read it is rejected', async () => {
  uploads = await uploadAll(account);
  const target = fields.find(({ id }) => id === 'changeVoice');
  if (!target) throw new Error('changeVoice takes no file');
  host.clock.advance((7 * 24 - 1) * 3_600_000 - 120_000);
  expect(await callWith(target, uploads.audio)).toMatchObject({ status: 200 });
  host.clock.advance(120_000);
  expect(await callWith(target, uploads.audio)).toMatchObject({ status: 400 });
  uploads = await uploadAll(account);
});

/** Creates a task; `meanwhile` runs after its creation and before its inputs are copied. */
async function task(id: OperationId, body: object, meanwhile: () => Promise<unknown> = async () => undefined) {
  host.clock.advance(60_000);
  const created = Promise.withResolvers<void>();
  beforeStaging = async () => {
    await created.promise;
    await meanwhile();
  };
  const response = await host.call(id, { token: account.token, body });
  created.resolve();
  expect(response.status, response.text).toBe(202);
  return (response.body.data as { taskId: string }).taskId;
}

const read = async (url: unknown) => Buffer.from(await (await fetch(String(url))).arrayBuffer());

describe('an engine whose input is an upload', () => {
  test('gets a copy of it, and the task shows the URL as given', async () => {
    const body = { imageUrl: uploads.image, referenceImages: [uploads.image], prompt: 'blue' };
    const taskId = await task('editImage', body);
    const { input } = await host.engine.jobOf(taskId);
    expect(String(input.imageUrl)).toContain(`/inputs/${taskId}/1.png`);
    expect(await read(input.imageUrl)).toEqual(files.image);
    expect(await read((input.referenceImages as string[])[0])).toEqual(files.image);
    expect((await host.task(account.token, taskId)).input).toMatchObject(body);
  });

  test('gets a copy of it even where only public addresses are admitted', async () => {
    const made = await host.withEnvironment({ URL_POLICY: 'public' }, async () => {
      const taskId = await task('changeVoice', { audioUrl: uploads.audio, voice: 'sarah' });
      return host.engine.jobOf(taskId);
    });
    expect(await read(made.input.audioUrl)).toEqual(files.audio);
  });

  test('gets a copy of it even if the engine downloads URLs itself, while the upload can still be replaced', async () => {
    const taskId = await task('generateCortes', { videoUrl: uploads.video });
    const { input } = await host.engine.jobOf(taskId);
    expect(String(input.videoUrl)).toContain(`/inputs/${taskId}/1.mp4`);
    expect(await read(input.videoUrl)).toEqual(files.video);
  });
});

describe('an upload that is replaced with a longer file after the task was paid', () => {
  // The task counts as a long result, after which the account may have only one open task whose price depends on a
  // file.
  beforeEach(async () => {
    account = await host.account({ planId: 'business' });
    uploads = await uploadAll(account);
  });

  test.each([
    ['changeVoice', 'audioUrl'],
    ['imitateVideo', 'motionVideo'],
    ['generateCortes', 'videoUrl'],
  ] as const)('fails the %s task, which is refunded', async (id, field) => {
    const isAudio = id === 'changeVoice';
    const [shorter, longer] = isAudio
      ? [tinyWav(2), tinyWav(40)]
      : [await tinyMp4(4, { soundSeconds: 4 }), await tinyMp4(25)];
    const bytes = Math.max(shorter.length, longer.length) + 64;
    const padded = (file: Buffer) => Buffer.concat([file, paddingOf(bytes - file.length, isAudio)]);
    const declared = await declareFile(host, account.token, bytes, isAudio ? 'audio/wav' : 'video/mp4');
    expect(await sendForm(declared, padded(shorter))).toMatchObject({ status: 204 });
    const before = await host.standing(account.accountId);
    const body = { ...exampleBody(id, uploads), [field]: declared.url };
    const taskId = await task(id, body, () => sendForm(declared, padded(longer)));
    const ended = await host.ended(account.token, taskId);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'INPUT_INVALID' } });
    expect(ended.error?.message).toContain(field);
    expect((await host.standing(account.accountId)).balance).toBe(before.balance);
  });
});

test('an upload that is gone when the task begins fails the task, which is refunded', async () => {
  const url = await uploadedUrl(host, account.token, files.image);
  const before = await host.standing(account.accountId);
  const { AWS_ENDPOINT_URL_S3 = '', INPUTS_BUCKET } = host.service.environment;
  const s3 = new S3Client({ ...localAccess(AWS_ENDPOINT_URL_S3), forcePathStyle: true });
  const remove = () =>
    s3.send(new DeleteObjectCommand({ Bucket: INPUTS_BUCKET, Key: `uploads/${url.split('/').at(-1)}` }));
  const ended = await host.ended(account.token, await task('removeBackground', { imageUrl: url }, remove));
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'DOWNLOAD_FAILED' } });
  expect((await host.standing(account.accountId)).balance).toBe(before.balance);
});

/** Bytes that readers skip: in a box of an MP4, or a chunk of a WAV. */
function paddingOf(bytes: number, isAudio: boolean): Buffer {
  const padding = Buffer.alloc(bytes);
  if (isAudio) {
    padding.write('junk', 0);
    padding.writeUInt32LE(bytes - 8, 4);
  } else {
    padding.writeUInt32BE(bytes, 0);
    padding.write('free', 4);
  }
  return padding;
}

describe('a product with the URL of an upload', () => {
  const texts = { title: 'Caneca', description: 'Azul.' };
  const create = (body: object) =>
    host.call('createStudioProduct', { token: account.token, body: { ...texts, ...body } });

  test('keeps the upload permanently, and it can still be used as an input', async () => {
    host.clock.advance(60_000);
    const declared = await declareFile(host, account.token, files.image.length);
    await sendForm(declared, files.image);
    const images = [{ url: declared.url, role: 'front' }, host.engine.imageUrl, declared.url];
    const response = await create({ images, productFileIds: [declared.fileId] });
    expect(response.status, response.text).toBe(200);
    const { id } = response.body.data as { id: string };
    const product = await host.service.context.products.find(account.accountId, id);
    const [first] = product?.images ?? [];
    const key = first && 'key' in first ? first.key : '';
    expect(key).toMatch(new RegExp(`^files/${declared.fileId}-[0-9a-f]{32}\\.png$`));
    expect(product?.images).toEqual([{ key, role: 'front' }, { url: host.engine.imageUrl }, { key }, { key }]);
    // Whatever the form uploads now, the kept content stays unchanged.
    await sendForm(declared, Buffer.alloc(files.image.length));
    host.clock.advance(8 * 24 * 3_600_000);
    const taskId = await task('removeBackground', { imageUrl: declared.url });
    expect(await read((await host.engine.jobOf(taskId)).input.imageUrl)).toEqual(files.image);
  });

  test('can be described from the upload', async () => {
    host.clock.advance(60_000);
    const url = await uploadedUrl(host, account.token, files.image);
    const response = await host.call('createStudioProduct', { token: account.token, body: { images: [url] } });
    expect(response.status, response.text).toBe(200);
  });
});

test('an avatar keeps an upload that is given by its URL', async () => {
  host.clock.advance(60_000);
  const url = await uploadedUrl(host, account.token, files.image);
  const response = await host.call('createStudioAvatar', {
    token: account.token,
    body: { name: 'Ana', imageUrl: url },
  });
  expect(response.status, response.text).toBe(200);
  const { id } = response.body.data as { id: string };
  const avatar = await host.service.context.avatars.find(account.accountId, id);
  expect(avatar?.image).toEqual({ key: expect.stringMatching(/^files\//) });
});
