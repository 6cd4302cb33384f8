/** The image operations from request to result, with the real offline engine and the sample images. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, client, type Task } from '../../client/client.ts';
import { type Service, startService } from '../../infra/local/host.ts';
import { scopes } from '../../shared/contracts/scopes.ts';
import { createAccount } from '../../shared/domain/accounts/create-account.ts';
import { issueToken } from '../../shared/domain/tokens/issue-token.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import { eventually } from '../support/eventually.ts';
import { type ImageHost, imageHost } from '../support/image-host.ts';

const samples = { portrait: 'astronaut.jpg', cup: 'coffee.png', cat: 'chelsea.webp', rocket: 'rocket.jpg' } as const;
const types: Readonly<Record<string, string>> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };
/** Upscaling takes time in proportion to the area. */
const small = { width: 75, height: 50 } as const;
const bytesOf = (name: string) => readFileSync(new URL(`../../infra/demo/samples/${name}`, import.meta.url));

let service: Service;
let images: ImageHost;
let api: Client;
let dataDir: string;
let balance: () => Promise<number>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'offline-images-'));
  [service, images] = await Promise.all([
    startService({
      port: 0,
      dataDir,
      inMemory: true,
      urlPolicy: 'local',
      engineCompletion: 'callback',
      engine: { latencyMs: 0, failure: 'none' },
      onDatabaseExit: (reason) => {
        throw new Error(reason);
      },
    }),
    imageHost({
      ...Object.fromEntries(
        Object.values(samples).map((name) => [
          name,
          (response) =>
            response.writeHead(200, { 'content-type': types[name.split('.').at(-1) ?? ''] }).end(bytesOf(name)),
        ]),
      ),
      'small.png': (response) => {
        response.writeHead(200, { 'content-type': 'image/png' });
        sharp(bytesOf(samples.cup)).resize(small).pipe(response);
      },
    }),
  ]);
  const { context } = service;
  const { accountId } = await createAccount(context, { email: 'a@example.com', name: 'A', credits: 1000 });
  const needs = { ...context, webhookSecrets: webhookSecretsOf(context) };
  const { token } = await issueToken(needs, { accountId, name: 'test', scopes });
  api = client({ baseUrl: service.url, token });
  balance = async () => (await context.accounts.find(accountId))?.balance ?? Number.NaN;
});
afterAll(async () => {
  await service.close();
  await images.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const at = (name: keyof typeof samples) => images.url(samples[name]);

interface Result {
  readonly task: Task;
  readonly files: readonly Buffer[];
}

type Submission = Promise<{ data: { taskId: string } }>;

interface Case {
  readonly name: string;
  readonly cost: number;
  readonly submit: () => Submission;
  /** The content of the sample files. */
  readonly check: (file: Buffer, result: Result) => Promise<void>;
}

const raw = async (file: Buffer) => sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });

/** The share of different pixels between two images of the same size. */
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

const ratioOf = async (file: Buffer) => {
  const { width, height } = await sharp(file).metadata();
  return width / height;
};

const changed = (source: keyof typeof samples, least: number, most: number) => async (file: Buffer) => {
  const share = await difference(file, bytesOf(samples[source]));
  expect(share).toBeGreaterThan(least);
  expect(share).toBeLessThanOrEqual(most);
};

const enlarged = (scale: 2 | 4): Case => ({
  name: `upscaleImage multiplies width and height by ${scale}`,
  cost: scale,
  submit: () => api.upscaleImage({ body: { imageUrl: images.url('small.png'), scale } }),
  async check(file) {
    expect(await sizeOf(file)).toEqual({ width: small.width * scale, height: small.height * scale });
  },
});

const cases: readonly Case[] = [
  {
    name: 'generateImage generates the requested number of different images in the requested aspect ratio',
    cost: 8,
    submit: () =>
      api.generateImage({ body: { prompt: 'um farol ao amanhecer', aspectRatio: '16:9', numImages: 2, seed: 7 } }),
    async check(file, { files: [, other] }) {
      expect(Math.abs((await ratioOf(file)) - 16 / 9)).toBeLessThan(0.05);
      expect(await difference(file, other as Buffer)).toBeGreaterThan(0.5);
    },
  },
  {
    name: 'editImage changes an image and keeps its size',
    cost: 5,
    submit: () => api.editImage({ body: { imageUrl: at('cup'), prompt: 'preto e branco' } }),
    check: changed('cup', 0.5, 1),
  },
  {
    name: 'replaceCharacter changes a part of the scene and keeps its size',
    cost: 6,
    submit: () => api.replaceCharacter({ body: { imageUrl: at('rocket'), characterImage: at('portrait') } }),
    check: changed('rocket', 0.02, 0.95),
  },
  {
    name: 'removeBackground makes the background transparent, as WebP',
    cost: 1,
    submit: () => api.removeBackground({ body: { imageUrl: at('portrait'), format: 'webp' } }),
    async check(file, { task }) {
      expect(task.results?.[0]?.contentType).toBe('image/webp');
      const { data } = await raw(file);
      const alphas = data.filter((_, index) => index % 4 === 3);
      for (const value of [0, 255]) {
        expect(alphas.filter((alpha) => alpha === value).length / alphas.length).toBeGreaterThan(0.1);
      }
      expect(await sizeOf(file)).toEqual(await sizeOf(bytesOf(samples.portrait)));
    },
  },
  {
    name: 'removeBackground fills the background with one color',
    cost: 1,
    submit: () => api.removeBackground({ body: { imageUrl: at('portrait'), background: '#00ff00' } }),
    async check(file) {
      const { data } = await raw(file);
      expect([...data.subarray(0, 4)]).toEqual([0, 255, 0, 255]);
    },
  },
  enlarged(2),
  enlarged(4),
  {
    name: 'generateInfluencer returns an id and a portrait in the default aspect ratio',
    cost: 8,
    submit: () => api.generateInfluencer({ body: { name: 'Ana', description: 'chef de cozinha', gender: 'feminino' } }),
    async check(file, { task }) {
      expect(task.influencerId).toMatch(/^[0-9a-f-]{36}$/);
      expect(Math.abs((await ratioOf(file)) - 3 / 4)).toBeLessThan(0.05);
    },
  },
  {
    name: 'enhanceSkin changes skin and little else',
    cost: 5,
    submit: () => api.enhanceSkin({ body: { imageUrl: at('portrait'), textureLevel: 100 } }),
    check: changed('portrait', 0.01, 0.4),
  },
];

/** All are submitted before waiting for the first. */
let submissions: ReadonlyMap<Case, Submission>;
beforeAll(() => {
  submissions = new Map(cases.map((one) => [one, one.submit()]));
});

/** Reads each result and checks that it matches the task. */
async function resultOf(submission: Submission): Promise<Result> {
  const { taskId } = (await submission).data;
  await eventually(`the end of ${taskId}`, async () => (await service.context.tasks.find(taskId))?.endedAt, {
    patienceMs: 240_000,
  });
  const { data: task } = await api.getTask({ params: { taskId } });
  expect([task.status, task.error]).toEqual(['completed', undefined]);
  const files: Buffer[] = [];
  for (const result of task.results ?? []) {
    const response = await fetch(result.url);
    const file = Buffer.from(await response.arrayBuffer());
    const { format, width, height } = await sharp(file).metadata();
    expect(result).toMatchObject({ contentType: `image/${format}`, width, height, bytes: file.length });
    expect(response.headers.get('content-type')).toBe(result.contentType);
    files.push(file);
  }
  return { task, files };
}

test.for(cases)('$name', { timeout: 300_000 }, async (one) => {
  const result = await resultOf(submissions.get(one) as Submission);
  expect(result.task.creditsUsed).toBe(one.cost);
  const [file] = result.files;
  await one.check(file as Buffer, result);
});

test('the offline engine’s image tasks are debited exactly, and the ledger is correct', async () => {
  expect(await balance()).toBe(1000 - cases.reduce((sum, { cost }) => sum + cost, 0));
  expect(await service.invoke('auditLedger', {})).toMatchObject({ drifts: [] });
});
