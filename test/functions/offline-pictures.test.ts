/** The seven picture operations from request to result, by the real offline engine, on the sample pictures. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, client } from '../../client/client.ts';
import { type Service, startService } from '../../infra/local/host.ts';
import { scopes } from '../../shared/contracts/scopes.ts';
import type { Task } from '../../shared/contracts/tasks.ts';
import { createAccount } from '../../shared/domain/accounts/create-account.ts';
import { createToken } from '../../shared/domain/tokens/create-token.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import { eventually } from '../support/eventually.ts';
import { type PictureHost, pictureHost } from '../support/picture-host.ts';

const samples = { portrait: 'astronaut.jpg', cup: 'coffee.png', cat: 'chelsea.webp', rocket: 'rocket.jpg' } as const;
const types: Readonly<Record<string, string>> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };
const bytesOf = (name: string) => readFileSync(new URL(`../../infra/demo/samples/${name}`, import.meta.url));

let service: Service;
let pictures: PictureHost;
let api: Client;
let dataDir: string;
let balance: () => Promise<number>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'offline-pictures-'));
  [service, pictures] = await Promise.all([
    startService({
      port: 0,
      dataDir,
      inMemory: true,
      urlPolicy: 'local',
      engineReports: 'callback',
      engine: { latencyMs: 0, failure: 'none' },
      onDatabaseExit: (reason) => {
        throw new Error(reason);
      },
    }),
    pictureHost(
      Object.fromEntries(
        Object.values(samples).map((name) => [
          name,
          (response) =>
            response.writeHead(200, { 'content-type': types[name.split('.').at(-1) ?? ''] }).end(bytesOf(name)),
        ]),
      ),
    ),
  ]);
  const { context } = service;
  const { accountId } = await createAccount(context, { email: 'a@example.com', name: 'A', credits: 1000 });
  const needs = { ...context, webhookSecrets: webhookSecretsOf(context) };
  const { token } = await createToken(needs, { accountId, name: 'test', scopes });
  api = client({ baseUrl: service.url, token });
  balance = async () => (await context.accounts.find(accountId))?.balance ?? Number.NaN;
}, 60_000);
afterAll(async () => {
  await service.close();
  await pictures.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const at = (name: keyof typeof samples) => pictures.url(samples[name]);

async function completed(taskId: string): Promise<Task> {
  await eventually(`the end of ${taskId}`, async () => (await service.context.tasks.find(taskId))?.endedAt, {
    patienceMs: 120_000,
  });
  const { data } = await api.getTask({ params: { taskId } });
  expect(data.error).toBeUndefined();
  expect(data.status).toBe('completed');
  return data;
}

interface Made {
  readonly task: Task;
  /** What the results are, read from their own bytes, which must be what the task says. */
  readonly files: readonly Buffer[];
}

async function made(accepted: Promise<{ data: { taskId: string } }>, cost: number): Promise<Made> {
  const before = await balance();
  const { taskId } = (await accepted).data;
  const task = await completed(taskId);
  const files: Buffer[] = [];
  for (const result of task.results ?? []) {
    const response = await fetch(result.url);
    const file = Buffer.from(await response.arrayBuffer());
    const { format, width, height } = await sharp(file).metadata();
    expect(result).toMatchObject({ contentType: `image/${format}`, width, height, bytes: file.length });
    expect(response.headers.get('content-type')).toBe(result.contentType);
    files.push(file);
  }
  expect([task.creditsUsed, before - (await balance())]).toEqual([cost, cost]);
  return { task, files };
}

const raw = async (file: Buffer) => sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });

/** The share of pixels that differ between two pictures of one size. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [{ data: a, info }, { data: b }] = await Promise.all([raw(one), raw(other)]);
  expect(b.length).toBe(a.length);
  let differing = 0;
  for (let pixel = 0; pixel < a.length; pixel += 4) {
    if (a[pixel] !== b[pixel] || a[pixel + 1] !== b[pixel + 1] || a[pixel + 2] !== b[pixel + 2]) differing += 1;
  }
  return differing / (info.width * info.height);
}

const sizeOf = async (file: Buffer) => {
  const { width, height } = await sharp(file).metadata();
  return { width, height };
};

describe('pictures', { timeout: 240_000 }, () => {
  test('from words are as many as were asked for, of the ratio asked for, and all different', async () => {
    const body = { prompt: 'um farol ao amanhecer', aspectRatio: '16:9', numImages: 2, seed: 7 } as const;
    const { files } = await made(api.generateImage({ body }), 8);
    expect(files).toHaveLength(2);
    const [one, other] = files as [Buffer, Buffer];
    const { width, height } = await sizeOf(one);
    expect(Math.abs(width / height - 16 / 9)).toBeLessThan(0.05);
    expect(await difference(one, other)).toBeGreaterThan(0.5);
  });

  test('that are edited keep their size and are others than before', async () => {
    const { files } = await made(api.editImage({ body: { imageUrl: at('cup'), prompt: 'preto e branco' } }), 5);
    const source = bytesOf(samples.cup);
    expect(await sizeOf(files[0] as Buffer)).toEqual(await sizeOf(source));
    expect(await difference(files[0] as Buffer, source)).toBeGreaterThan(0.5);
  });

  test('get another person where there was one, and keep their size', async () => {
    const body = { imageUrl: at('rocket'), characterImage: at('portrait') };
    const { files } = await made(api.replaceCharacter({ body }), 6);
    const source = bytesOf(samples.rocket);
    expect(await sizeOf(files[0] as Buffer)).toEqual(await sizeOf(source));
    const changed = await difference(files[0] as Buffer, source);
    expect(changed).toBeGreaterThan(0.02);
    expect(changed).toBeLessThan(0.95);
  });

  test.for(['png', 'webp'] as const)(
    'lose their background as %s, where nothing is behind what they are of',
    async (format) => {
      const { task, files } = await made(api.removeBackground({ body: { imageUrl: at('portrait'), format } }), 1);
      expect(task.results?.[0]?.contentType).toBe(`image/${format}`);
      const { data } = await raw(files[0] as Buffer);
      const alphas = data.filter((_, index) => index % 4 === 3);
      const share = (value: number) => alphas.filter((alpha) => alpha === value).length / alphas.length;
      expect(share(0)).toBeGreaterThan(0.1);
      expect(share(255)).toBeGreaterThan(0.1);
      expect(await sizeOf(files[0] as Buffer)).toEqual(await sizeOf(bytesOf(samples.portrait)));
    },
  );

  test('get one colour behind what they are of', async () => {
    const body = { imageUrl: at('portrait'), background: '#00ff00' };
    const { files } = await made(api.removeBackground({ body }), 1);
    const { data } = await raw(files[0] as Buffer);
    expect([...data.subarray(0, 4)]).toEqual([0, 255, 0, 255]);
  });

  test.for([2, 4] as const)('are made %i times as wide and as high', async (scale) => {
    const { files } = await made(api.upscaleImage({ body: { imageUrl: at('cup'), scale } }), scale);
    const { width, height } = await sizeOf(bytesOf(samples.cup));
    expect(await sizeOf(files[0] as Buffer)).toEqual({ width: width * scale, height: height * scale });
  });

  test('of a made-up person have the ratio asked for, and the person an id', async () => {
    const body = { name: 'Ana', description: 'chef de cozinha, sorridente', gender: 'feminino' } as const;
    const { task, files } = await made(api.generateInfluencer({ body }), 8);
    expect(task.influencerId).toMatch(/^[0-9a-f-]{36}$/);
    const { width, height } = await sizeOf(files[0] as Buffer);
    expect(Math.abs(width / height - 3 / 4)).toBeLessThan(0.05);
  });

  describe('of skin', () => {
    /** How rough a face is: what a blur takes away from its lightness, squared. */
    async function roughness(file: Buffer): Promise<number> {
      const face = { left: 190, top: 90, width: 80, height: 60 };
      const grey = sharp(await sharp(file).extract(face).removeAlpha().toBuffer()).greyscale();
      const [sharpPixels, blurred] = await Promise.all([
        grey.clone().raw().toBuffer(),
        grey.clone().blur(2).raw().toBuffer(),
      ]);
      const sum = sharpPixels.reduce((total, value, index) => total + (value - (blurred[index] ?? 0)) ** 2, 0);
      return sum / sharpPixels.length;
    }

    const enhanced = async (textureLevel: number, poresDetail: number, lightingFix: boolean) => {
      const body = { imageUrl: at('portrait'), textureLevel, poresDetail, lightingFix };
      const { files } = await made(api.enhanceSkin({ body }), 5);
      return files[0] as Buffer;
    };

    test('get rougher with each level of texture, and change nowhere else', async () => {
      const source = await sharp(bytesOf(samples.portrait)).png().toBuffer();
      const [none, some, much] = [
        await enhanced(0, 0, false),
        await enhanced(50, 0, false),
        await enhanced(100, 0, false),
      ];
      expect(await difference(none, source)).toBe(0);
      const [first, second, third] = [await roughness(none), await roughness(some), await roughness(much)];
      expect(second).toBeGreaterThan(first);
      expect(third).toBeGreaterThan(second);
      const changed = await difference(much, source);
      expect(changed).toBeGreaterThan(0.01);
      expect(changed).toBeLessThan(0.4);
    });

    test('get pores and even light when these are asked for', async () => {
      const none = await enhanced(0, 0, false);
      expect(await roughness(await enhanced(0, 100, false))).toBeGreaterThan(await roughness(none));
      expect(await difference(await enhanced(0, 0, true), none)).toBeGreaterThan(0.005);
    });
  });
});

test('the books are right when all is made', async () => {
  expect(await service.invoke('auditLedger', {})).toMatchObject({ drifts: [] });
});
