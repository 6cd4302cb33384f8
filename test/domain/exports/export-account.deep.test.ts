/** Archives of accounts: what they contain, what they lack, and that crashes while they are made do no harm. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assert, asyncProperty, string } from 'fast-check';
import { unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { exportArchive } from '../../../shared/domain/exports/export-archive.ts';
import { exportedFields } from '../../../shared/domain/exports/export-documents.ts';
import { exportedKinds, exportRules } from '../../../shared/domain/exports/export-rules.ts';
import { exportStore } from '../../../shared/domain/exports/export-store.ts';
import { type ExportNeeds, makeExports } from '../../../shared/domain/exports/make-exports.ts';
import { openExport, requestExport } from '../../../shared/domain/exports/request-export.ts';
import { closeAccount, endWeek } from '../../../shared/domain/privacy/closing.ts';
import { advanceClosure } from '../../../shared/domain/privacy/erase-account.ts';
import { rowKinds } from '../../../shared/domain/privacy/register.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import { inputsBucket, resultsBucket } from '../../../shared/platform/bucket.ts';
import { objectEraser } from '../../../shared/platform/object-eraser.ts';
import { objectReader } from '../../../shared/platform/object-reader.ts';
import { storedObjects } from '../../../shared/platform/stored-objects.ts';
import { zipArchive } from '../../../shared/platform/zip-archive.ts';
import { closureNeeds } from '../../support/closure-needs.ts';
import { giveInbox } from '../../support/given-inbox.ts';
import { storedKeys } from '../../support/stored-keys.ts';
import { giveAvatar } from '../../support/studio-cast.ts';
import { serviceInTests } from '../../support/test-service.ts';
import { tinyPng } from '../../support/tiny-image.ts';
import { declareFile, sendForm } from '../../support/upload-file.ts';
import { storeRowsOfEveryKind } from './rows-of-every-kind.ts';

const host = await serviceInTests();
const { context } = host.service;
const { ids, table } = context;
const inputs = inputsBucket(context);
const needs: ExportNeeds = {
  ...context,
  inputs,
  objectEraser: objectEraser(context),
  openObject: objectReader(context.settings.aws('S3')),
};

async function downloaded(accountId: string): Promise<Buffer> {
  const { url } = await openExport({ ...context, storedObjects: storedObjects(context) }, accountId);
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

const archives = (accountId: string) => storedKeys(host.service.environment.AWS_ENDPOINT_URL_S3, accountId);
const documentIn = (archive: Readonly<Record<string, Uint8Array>>, name: string): Record<string, unknown>[] =>
  JSON.parse(Buffer.from(archive[name] ?? []).toString());

test('an exported archive has every text of the account in the register, no secret, and nothing of another account', async () => {
  await assert(
    asyncProperty(string({ unit: 'binary', maxLength: 40 }), async (noise) => {
      const [accountId, otherId] = [ids.next(), ids.next()];
      const textOf = (owner: string) => (kind: string, field: string) => `${owner} ${kind}.${field} ${noise}`;
      for (const owner of [accountId, testAccountOf(accountId), otherId]) {
        await storeRowsOfEveryKind(table, { accountId: owner, id: ids.next() }, textOf(owner));
      }
      await requestExport(context, accountId);
      await makeExports(needs);
      const archive = unzipSync(await downloaded(accountId));
      for (const [owner, folder] of [
        [accountId, ''],
        [testAccountOf(accountId), 'test-mode/'],
      ] as const) {
        for (const kind of exportedKinds) {
          const [entry] = documentIn(archive, `${folder}${exportRules[kind].document}.json`);
          const texts = exportedFields(kind).filter((name) => name !== 'expiresAt');
          const expected = texts.map((name) => [name, textOf(owner)(kind, name)]);
          expect(entry).toMatchObject(Object.fromEntries(expected));
        }
      }
      const whole = Object.values(archive)
        .map((bytes) => Buffer.from(bytes).toString())
        .join('\n');
      expect(whole).not.toContain(otherId);
      const withheld = exportedKinds.flatMap((kind) => {
        const exported = new Set(exportedFields(kind));
        return Object.keys(rowKinds[kind].fields).flatMap((name) => (exported.has(name) ? [] : [`${kind}.${name} `]));
      });
      expect(withheld.filter((text) => whole.includes(` ${text}`))).toEqual([]);
    }),
    { numRuns: 5 },
  );
});

test('an exported archive has the files of results, uploads and avatars, and other programs can read it', async () => {
  const { accountId, token } = await host.account();
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const taskId = await host.speak(token);
  await host.ended(token, taskId);
  const png = tinyPng(3, 2);
  const upload = await declareFile(host, token, png.length);
  await sendForm(upload, png);
  const lost = await declareFile(host, token, png.length);
  const key = `files/${ids.next()}-0f0f.png`;
  await resultsBucket(context).write(key, { body: [png], contentType: 'image/png' });
  await giveAvatar(context, { accountId, image: { key }, sourceInfluencerId: 'none' });
  await giveInbox(host, accountId);
  await requestExport(context, accountId);
  await makeExports(needs);

  const zip = await downloaded(accountId);
  const archive = unzipSync(zip);
  const [
    {
      results: [result],
    } = { results: [] },
  ] = documentIn(archive, 'tasks.json') as { results: { key: string }[] }[];
  const task = await context.tasks.find(taskId);
  const stored = await fetch(`${context.settings.resultsUrl}/${task?.results?.[0]?.key}`);
  expect(Buffer.from(archive[result?.key ?? ''] ?? [])).toEqual(Buffer.from(await stored.arrayBuffer()));
  for (const place of [
    `files/uploads/${upload.fileId}.png`,
    `files/kept/${key.slice('files/'.length, -'-0f0f.png'.length)}.png`,
  ])
    expect(Buffer.from(archive[place] ?? [])).toEqual(png);
  expect(documentIn(archive, 'messages.json')).toMatchObject([{ text: expect.stringContaining('Mensagem') }]);
  const about = JSON.parse(Buffer.from(archive['about.json'] ?? []).toString());
  expect(about.filesLeftOut).toEqual([{ file: `files/uploads/${lost.fileId}.png`, reason: 'missing' }]);
  expect(zip.includes(task?.resultsSecret ?? 'none')).toBe(false);
  const found = await exportStore(table).find(accountId);
  expect(found).toMatchObject({ files: 3, leftOut: 1, bytes: zip.length });

  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'archive.zip'), zip);
  const { stdout } = await promisify(execFile)('python3', ['-m', 'zipfile', '-t', join(folder, 'archive.zip')]);
  expect(stdout).toContain('Done testing');
});

/** Calls `before`, with the number of the step, ahead of each step of making an archive. */
function stepped(before: (step: number) => Promise<void>): ExportNeeds {
  let steps = 0;
  const step = async () => {
    steps += 1;
    await before(steps);
  };
  return {
    ...needs,
    table: {
      ...table,
      async get(key) {
        await step();
        return table.get(key);
      },
      async update(input) {
        await step();
        const updated = await table.update(input);
        await step();
        return updated;
      },
      async *walk(input) {
        await step();
        yield* table.walk(input);
      },
    },
    inputs: {
      async write(key, content) {
        await step();
        const bytes = await inputs.write(key, content);
        await step();
        return bytes;
      },
    },
    objectEraser: {
      async erase(bucket, folder) {
        await step();
        await needs.objectEraser.erase(bucket, folder);
      },
    },
  };
}

test('an archive is completed by another process if the one that makes it dies at any step, and nothing else is left', async () => {
  let [deadAt, isOver] = [0, false];
  while (!isOver) {
    deadAt += 1;
    const { accountId } = await host.account();
    await requestExport(context, accountId);
    let isDead = false;
    const dying = stepped(async (step) => {
      isDead ||= step === deadAt;
      if (isDead) throw new Error('dead');
    });
    await makeExports(dying).catch(() => {});
    isOver = !isDead;
    // No other attempt begins while the process that has crashed could still be working.
    host.clock.advance(15 * 60_000);
    await makeExports(needs);
    expect(await exportStore(table).find(accountId), `dead at step ${deadAt}`).toMatchObject({ state: 'ready' });
    expect(await archives(accountId)).toHaveLength(1);
    expect(Object.keys(unzipSync(await downloaded(accountId)))).toContain('about.json');
  }
  expect(deadAt).toBeGreaterThan(30);
});

test('an export that cannot be made fails after three attempts, and may be requested again', async () => {
  const { accountId } = await host.account();
  await requestExport(context, accountId);
  const broken = { ...needs, inputs: { write: () => Promise.reject(new Error('no storage')) } };
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await expect(makeExports(broken)).rejects.toThrow('no storage');
    host.clock.advance(60_000);
  }
  await makeExports(needs);
  expect(await exportStore(table).find(accountId)).toMatchObject({ state: 'failed', attempts: 3 });
  await requestExport(context, accountId);
  await makeExports(needs);
  expect(await exportStore(table).find(accountId)).toMatchObject({ state: 'ready', count: 2 });
});

test('an account that is erased at any step of its export leaves no archive behind', async () => {
  for (let erasedAt = 1, isOver = false; !isOver; erasedAt += 3) {
    const { accountId } = await host.account();
    await requestExport(context, accountId);
    let isErased = false;
    const racing = stepped(async (step) => {
      if (step < erasedAt || isErased) return;
      isErased = true;
      await closeAccount(context, accountId);
      await endWeek(context, accountId);
      await advanceClosure(closureNeeds(context), accountId, Number.MAX_SAFE_INTEGER);
    });
    await makeExports(racing);
    isOver = !isErased;
    if (isOver) break;
    expect(await archives(`exports/${accountId}`), `erased at step ${erasedAt}`).toEqual([]);
    expect(await exportStore(table).find(accountId)).toBeUndefined();
    await expect(requestExport(context, accountId)).rejects.toMatchObject({ kind: 'not-found' });
  }
});

test('an export streams large files, with at most a few chunks in memory', async () => {
  const { accountId } = await host.account();
  for (let count = 0; count < 2; count += 1) {
    await giveAvatar(context, { accountId, image: { key: `files/${ids.next()}-0f.png` }, sourceInfluencerId: 'none' });
  }
  const chunk = Buffer.alloc(2 ** 20);
  let [read, written, most] = [0, 0, 0];
  async function* body() {
    for (let count = 0; count < 300; count += 1) {
      read += chunk.length;
      yield chunk;
    }
  }
  const { entries, tally } = exportArchive(
    { ...needs, openObject: async () => ({ body: body() }) },
    { accountId, filesUntil: Number.MAX_SAFE_INTEGER, bytesLimit: 100 * chunk.length, onProgress: async () => {} },
  );
  for await (const part of zipArchive(entries)) {
    written += part.length;
    most = Math.max(most, read - written);
  }
  expect(most).toBeLessThan(5 * chunk.length);
  // The first file exceeds the limit, so the second is left out.
  expect([tally.files, tally.leftOut.map(({ reason }) => reason)]).toEqual([1, ['archive full']]);
});
