/** Large uploads: really sent, used as inputs, and then immutable. */
import { expect, test } from 'vitest';
import { serviceInTests } from '../support/test-service.ts';
import { tinyMp4 } from '../support/tiny-video.ts';
import { declareFile, sendForm } from '../support/upload-file.ts';

const megabyte = 2 ** 20;

interface PartsUpload {
  readonly fileId: string;
  readonly url: string;
  readonly upload: { readonly parts: readonly { readonly bytes: number; readonly url: string }[] };
}

const host = await serviceInTests();
const account = await host.account({ planId: 'business' });

/** A short video in a file of a given size: readers skip the rest. */
async function videoOf(bytes: number): Promise<Buffer> {
  const video = await tinyMp4(8);
  const skipped = Buffer.alloc(bytes - video.length, 7);
  skipped.writeUInt32BE(skipped.length, 0);
  skipped.write('free', 4);
  return Buffer.concat([video, skipped]);
}

async function cut(videoUrl: string) {
  const response = await host.call('generateCortes', { token: account.token, body: { videoUrl } });
  expect(response.status, response.text).toBe(202);
  const { taskId } = response.body.data as { taskId: string };
  return host.engine.jobOf(taskId);
}

const put = (url: string, body: Buffer) => fetch(url, { method: 'PUT', body: new Uint8Array(body) });

test('a file of over 100 MB can be uploaded in parts in any order and completed more than once, and an engine receives it', async () => {
  const video = await videoOf(101 * megabyte);
  const body = { contentType: 'video/mp4', bytes: video.length };
  const created = await host.call('createFile', { token: account.token, body });
  const { fileId, url, upload } = created.body.data as PartsUpload;
  const etags: string[] = [];
  for (const [index, part] of [...upload.parts.entries()].toReversed()) {
    const start = index * 64 * megabyte;
    const response = await put(part.url, video.subarray(start, start + part.bytes));
    etags[index] = response.headers.get('etag') ?? '';
  }
  const complete = () => host.call('completeFile', { token: account.token, params: { fileId }, body: { etags } });
  const responses = await Promise.all([complete(), complete()]);
  responses.push(await complete());
  expect(responses.map(({ status, body: { data } }) => [status, data])).toEqual(
    responses.map(() => [200, { fileId, url }]),
  );
  expect((await put(upload.parts[0]?.url ?? '', video.subarray(0, 64 * megabyte))).status).toBe(404);

  const { id: taskId, input } = await cut(url);
  expect(String(input.videoUrl)).toContain(`/uploads/${fileId}?`);
  expect(Buffer.from(await (await fetch(String(input.videoUrl))).arrayBuffer()).equals(video)).toBe(true);

  // The service's own workflow copies the upload in ranges of one version.
  const plan = (await host.service.invoke('planCopy', { taskId })) as {
    readonly version: object;
    readonly stretches: readonly object[];
    readonly uploadId: string;
  };
  expect(plan).toMatchObject({ status: 'ready', version: { size: video.length } });
  const { version, uploadId } = plan;
  const copies: unknown[] = [];
  for (const stretch of plan.stretches) {
    copies.push(await host.service.invoke('copyPart', { taskId, uploadId, version, stretch }));
  }
  expect(await host.service.invoke('completeCopy', { taskId, uploadId, copies })).toMatchObject({
    status: 'ready',
    source: { bytes: video.length, durationSec: 8 },
  });
});

test('an upload whose parts have wrong sizes cannot be completed', async () => {
  const body = { contentType: 'video/mp4', bytes: 101 * megabyte };
  const created = await host.call('createFile', { token: account.token, body });
  const { fileId, url, upload } = created.body.data as PartsUpload;
  const responses = await Promise.all(upload.parts.map((part) => put(part.url, Buffer.alloc(6 * megabyte))));
  const etags = responses.map(({ headers }) => headers.get('etag') ?? 'none');
  const completed = await host.call('completeFile', { token: account.token, params: { fileId }, body: { etags } });
  expect(completed.status).toBe(400);
  const used = await host.call('generateCortes', { token: account.token, body: { videoUrl: url } });
  expect(used.body.error?.message).toBe('videoUrl has not been uploaded yet');
});

test('a file of 100 MB can be uploaded by form', async () => {
  const video = await videoOf(100 * megabyte);
  const declared = await declareFile(host, account.token, video.length, 'video/mp4');
  expect(await sendForm(declared, video)).toMatchObject({ status: 204 });
  const { input } = await cut(declared.url);
  expect(Number((await fetch(String(input.videoUrl))).headers.get('content-length'))).toBe(video.length);
});
