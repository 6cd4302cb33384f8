/** Content Credentials of files that are built in an unusual way. */
import { expect, test } from 'vitest';
import { readCredentials } from '../support/read-credentials.ts';
import { tinyMp4, withoutLastSize } from '../support/tiny-video.ts';
import { contentOf, created, files, markingInTests, passedBy } from './marked-files.ts';

const { credentials, markCopied, markInMemory } = markingInTests();

/** A film that is copied without being signed. */
const copyUnmarked = (bytes: Uint8Array) =>
  credentials.markLarge({ contentType: 'video/mp4', bytes: bytes.length }, async (large) =>
    Buffer.concat([...passedBy(large, bytes), ...large.unmarked()]),
  );

const unusualEnds: readonly (readonly [what: string, end: (film: Buffer) => Buffer])[] = [
  ['a last box without a size', withoutLastSize],
  ['3 zeros after its last box', (film) => Buffer.concat([film, Buffer.alloc(3)])],
  ['many zeros after its last box', (film) => Buffer.concat([film, Buffer.alloc(1003)])],
];

test.each(unusualEnds)('an MP4 with %s is signed like any other', async (_end, withEnd) => {
  const bytes = withEnd(await tinyMp4(2));
  const marked = await Promise.all([markInMemory, markCopied].map((mark) => mark(bytes, 'video/mp4', created)));
  const read = await readCredentials(marked.map((file) => ({ bytes: file.bytes, contentType: 'video/mp4' })));
  expect(read.map(({ state }) => state)).toEqual(['Valid', 'Valid']);
  for (const file of marked)
    expect(await contentOf('video/mp4', file.bytes)).toEqual(await contentOf('video/mp4', bytes));
});

test('an MP4 that ends with other bytes than zeros or a box cannot be signed, and is passed on unchanged', async () => {
  const film = await tinyMp4(2);
  for (const end of ['0000', '00'.repeat(2000)].map((zeros) => Buffer.from(`${zeros}07`, 'hex'))) {
    const bytes = Buffer.concat([film, end]);
    await expect(markCopied(bytes, 'video/mp4', created)).rejects.toMatchObject({ name: 'UnmarkableFile' });
    expect(await copyUnmarked(bytes)).toEqual(bytes);
  }
});

test('an MP4 whose last box states no size cannot be signed if its length was not announced, and the error says so', async () => {
  const film = withoutLastSize(await tinyMp4(2));
  const marking = credentials.markLarge({ contentType: 'video/mp4' }, (large) => {
    passedBy(large, film);
    return large.marked(created);
  });
  const why = 'a box has no size, and the length of the download was not announced';
  await expect(marking).rejects.toMatchObject({ name: 'UnmarkableFile', message: expect.stringContaining(why) });
});

test('an MP4 that is not signed keeps the zeros after its last box, and its earlier credentials', async () => {
  const { bytes } = await markInMemory(await tinyMp4(2), 'video/mp4', created);
  const [read] = await readCredentials([{ bytes: await copyUnmarked(bytes), contentType: 'video/mp4' }]);
  expect(read).toMatchObject({ state: 'Valid', manifests: 1 });
  const padded = Buffer.concat([await tinyMp4(2), Buffer.alloc(20)]);
  expect(await copyUnmarked(padded)).toEqual(padded);
});

/** How many bytes of a manifest are in each segment of a JPEG file: the headers of the first are shorter. */
function manifestSegments(bytes: Buffer): readonly number[] {
  const segments: number[] = [];
  for (let at = 2; ((bytes[at + 1] ?? 0) & 0xf0) === 0xe0; at += 2 + bytes.readUInt16BE(at + 2))
    if (bytes[at + 1] === 0xeb) segments.push(bytes.readUInt16BE(at + 2) - (segments.length === 0 ? 10 : 18));
  return segments;
}

test('a manifest in several JPEG segments is valid, even if little of it is in the last segment', async () => {
  const marked = async (agentLength: number) => {
    const origin = { ...created, softwareAgent: 'x'.repeat(agentLength) };
    return Buffer.from((await markCopied(files['image/jpeg'], 'image/jpeg', origin)).bytes);
  };
  const shorter = 50_000;
  const [first = 0] = manifestSegments(await marked(shorter));
  const [full = 0, more = 0] = manifestSegments(await marked(2 * shorter));
  expect(more).toBeGreaterThan(64);
  const lasts = [1, 2, 30, 63, 64, 65];
  const several = await Promise.all(lasts.map((last) => marked(shorter + full - first + last)));
  expect(several.map(manifestSegments)).toEqual(lasts.map((last) => [full, last]));
  const read = await readCredentials(several.map((bytes) => ({ bytes, contentType: 'image/jpeg' })));
  expect(read.map(({ state }) => state)).toEqual(lasts.map(() => 'Valid'));
});
