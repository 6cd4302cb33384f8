/** Half-signed files, which the model must not accept as results of a task. */
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, expect, test } from 'vitest';
import { localAccess } from '../../../infra/local/local-access.ts';
import { newModel } from '../model/model.ts';
import { create } from '../model/request-commands.ts';
import { step } from '../model/workflow-commands.ts';
import { outputOf } from '../world/engine-output.ts';
import { startBench, startWorld } from '../world/world.ts';
import { ensureResults } from './results.ts';

const bench = await startBench();
const storage = new S3Client({
  ...localAccess(bench.host.service.environment.AWS_ENDPOINT_URL_S3 ?? ''),
  forcePathStyle: true,
});
afterAll(async () => {
  storage.destroy();
  await bench.close();
});

/** A service in which a task was completed, and the file that it stored. */
async function completed() {
  const world = await startWorld(bench, { engineCompletion: 'callback' });
  const model = await newModel(world, [1]);
  const before = await world.snapshot();
  await create({ account: 0, key: 'k1', characters: 1, webhook: false }).run(model, world);
  await step({ execution: 0, steps: 3, mood: 'is done', progress: 100 }).run(model, world);
  const after = await world.snapshot();
  const [task] = after.tasks.values();
  const [result] = task?.results ?? [];
  if (!task || !result) throw new Error('the task has no result');
  const file = Buffer.from(await (await fetch(`${bench.host.url}/${result.key}`)).arrayBuffer());
  const made = await fetch(`${bench.host.engine.url}/${outputOf(task).url}`);
  return { world, before, after, key: result.key, file, made: Buffer.from(await made.arrayBuffer()) };
}

type Completed = Awaited<ReturnType<typeof completed>>;

test.for<[what: string, planted: (given: Completed) => Buffer]>([
  ['without credentials', ({ made }) => made],
  ['that is cut off before its last byte', ({ file }) => file.subarray(0, -1)],
  ['whose signature was not filled in', ({ file }) => unsigned(file)],
])('the check of stored results finds a published file %s', async ([, planted]) => {
  const done = await completed();
  const { world, before, after, key } = done;
  await ensureResults(world, before, after);
  const Body = planted(done);
  await storage.send(new PutObjectCommand({ Bucket: 'results', Key: key, Body, ContentType: 'audio/mpeg' }));
  await expect(ensureResults(world, before, after)).rejects.toThrow(
    /a result is (marked as a whole|the file that was made)/,
  );
});

/** The file as if its manifest had not been signed yet: the 64 bytes of the signature, which end its box, are zeros. */
function unsigned(file: Buffer): Buffer {
  const bytes = Buffer.from(file);
  const header = Buffer.from('f65840', 'hex');
  const at = bytes.indexOf(header, bytes.indexOf('c2pa.signature'));
  return bytes.fill(0, at + header.length, at + header.length + 64);
}
