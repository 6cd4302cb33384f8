/** The storage that the steps of a workflow share, with the local substitute for S3. */
import { afterAll, expect, test } from 'vitest';
import { startQueuesAndStorage } from '../../infra/local/queues-and-storage.ts';
import { localIdentity } from '../../infra/local/service-environment.ts';
import { partBytes } from '../../shared/domain/clips/copy-source.ts';
import { beginCopy, dropCopy } from '../../shared/domain/clips/copy-upload.ts';
import { sourceKey } from '../../shared/domain/tasks/task.ts';
import { TooManyBytes } from '../../shared/platform/limit-bytes.ts';
import { settingsOf } from '../../shared/platform/settings.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { isUploadOpen } from '../support/open-upload.ts';
import { RecordingLogger } from '../support/recording-logger.ts';

const storage = await startQueuesAndStorage({ visibilityTimeoutSeconds: 30 });
const environment = {
  ...localIdentity,
  AWS_ENDPOINT_URL_S3: storage.url,
  INPUTS_BUCKET: storage.inputsBucket,
};
const work = workStorage({ settings: settingsOf(environment) });
afterAll(() => storage.close());

const first = Buffer.alloc(partBytes, 'a');
const last = Buffer.from('end');

test('uploaded video parts become one file, in any order and however often parts and completion are repeated', async () => {
  const key = 'inputs/one/source.mp4';
  const upload = { key, uploadId: await work.begin(key, 'video/mp4') };
  await work.uploadPart(upload, 2, Buffer.from('not the'));
  const parts = [await work.uploadPart(upload, 2, last), await work.uploadPart(upload, 1, first)];
  expect(await work.open(key)).toBeUndefined();
  await work.complete(upload, parts);
  await work.complete(upload, parts);
  const file = await work.open(key);
  expect(file?.size).toBe(first.length + last.length);
  expect(Buffer.from((await file?.read(first.length - 1, first.length + 3)) ?? []).toString()).toBe('aend');
});

test('an aborted upload of a video copy leaves nothing behind, and can be aborted again', async () => {
  const key = 'inputs/two/source.mp4';
  const upload = { key, uploadId: await work.begin(key, 'video/mp4') };
  await work.uploadPart(upload, 1, last);
  expect(await isUploadOpen(work, upload)).toBe(true);
  await work.abort(upload);
  await work.abort(upload);
  expect(await isUploadOpen(work, upload)).toBe(false);
  expect(await work.open(key)).toBeUndefined();
});

test('a video copy that is started again continues its upload, and nothing is left once it is deleted', async () => {
  const upload = { key: sourceKey('four'), uploadId: await beginCopy(work, 'four') };
  expect(await beginCopy(work, 'four')).toBe(upload.uploadId);
  await work.uploadPart(upload, 1, last);
  const needs = { work, logger: new RecordingLogger() };
  await dropCopy(needs, 'four');
  expect(await isUploadOpen(work, upload)).toBe(false);
  await dropCopy(needs, 'four');
  await dropCopy(needs, 'never begun');
  expect(needs.logger.warnings).toEqual([]);
});

test('a stored work document can be read within its size limit, and is missing once it is deleted', async () => {
  const key = 'inputs/three/clips.json';
  expect(await work.read(key, 100)).toBeUndefined();
  await work.write(key, '{"é":1}', 'application/json');
  expect(await work.read(key, 100)).toBe('{"é":1}');
  await expect(work.read(key, 3)).rejects.toThrow(TooManyBytes);
  await work.delete(key);
  await work.delete(key);
  expect(await work.read(key, 100)).toBeUndefined();
});
