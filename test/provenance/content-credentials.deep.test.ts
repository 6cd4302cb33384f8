/** Files with Content Credentials, as c2pa-python reads them and as decoders play them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferSource, EncodedPacketSink, Input, MP3, MP4, WAVE } from 'mediabunny';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { inTemporaryFolder } from '../../fakes/temporary-folder.ts';
import { localContentKey } from '../../infra/local/content-key.ts';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { makeTestMedia } from '../../shared/engines/test-mode/media/test-media.ts';
import { type Clock, dayMs, systemClock } from '../../shared/platform/clock.ts';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { contentCredentials } from '../../shared/provenance/content-credentials.ts';
import type { LargeFile, Origin, Provenance } from '../../shared/provenance/provenance.ts';
import { readCredentials } from '../support/read-credentials.ts';
import { tinyWav } from '../support/tiny-sound.ts';
import { tinyMp4, withoutLastSize } from '../support/tiny-video.ts';

const keysDir = mkdtempSync(join(tmpdir(), 'content-key-'));
afterAll(() => rmSync(keysDir, { recursive: true }));

const { key, certificates } = localContentKey(keysDir);
const authority = readFileSync(join(keysDir, 'content', 'authority.pem'), 'utf8');
const credentialsAt = (clock: Clock) =>
  contentCredentials({
    clock,
    settings: settingsOf({
      [settingVariables.contentSigningKey]: key,
      [settingVariables.contentCertificates]: certificates,
    }),
  });
const credentials = credentialsAt(systemClock);
const markInMemory: Provenance['mark'] = (...given) => credentials.mark(...given);

/**
 * The bytes that are passed on while a file arrives in chunks of seven bytes, which divide the headers of its boxes.
 */
function passedBy(large: LargeFile, file: Uint8Array): readonly Uint8Array[] {
  const passed: Uint8Array[] = [];
  for (let at = 0; at < file.length; at += 7) passed.push(...large.take(file.subarray(at, at + 7)));
  return passed;
}

const markCopiedBy = (by: Provenance, file: Uint8Array, contentType: string, origin: Origin) =>
  by.markLarge({ contentType, bytes: file.length }, async (large) => {
    const passed = passedBy(large, file);
    const { rest, ...marked } = await large.marked(origin);
    return { bytes: Buffer.concat([...passed, ...rest]), ...marked };
  });
const markCopied: Provenance['mark'] = (...given) => markCopiedBy(credentials, ...given);

const copyUnmarked = (bytes: Uint8Array) =>
  credentials.markLarge({ contentType: 'video/mp4', bytes: bytes.length }, async (large) =>
    Buffer.concat([...passedBy(large, bytes), ...large.unmarked()]),
  );

const file = (type: string) =>
  makeTestMedia(`test:${type}?width=320&height=240&seconds=3&sound=true&paper=%23aabbcc&word=%23000000`);

/** One file of each type that results and inputs can have and that the library can mark. */
const files = {
  'image/png': file('png'),
  'image/jpeg': file('jpg'),
  'image/webp': file('webp'),
  'video/mp4': file('mp4'),
  'audio/mpeg': file('mp3'),
  'audio/wav': new Uint8Array(tinyWav(2)),
} as const;

const at = '2026-01-02T03:04:05.000Z';
const created: Origin = {
  digitalSourceType: 'trainedAlgorithmicMedia',
  softwareAgent: 'engine/model',
  at,
  inputs: [],
};
const edited = (...inputs: Origin['inputs']): Origin => ({
  ...created,
  digitalSourceType: 'compositeWithTrainedAlgorithmicMedia',
  inputs,
});

const sourceType = (name: Origin['digitalSourceType']) => `http://cv.iptc.org/newscodes/digitalsourcetype/${name}`;

/** The decoded pixels of an image; for audio and video the encoded samples, which decoders receive. */
async function contentOf(contentType: string, bytes: Uint8Array): Promise<unknown> {
  if (contentType.startsWith('image/')) return sharp(bytes).raw().toBuffer();
  const input = new Input({ formats: [MP3, MP4, WAVE], source: new BufferSource(new Uint8Array(bytes)) });
  const tracks = await input.getTracks();
  return Promise.all(
    tracks.map(async (track) => {
      const packets = await Array.fromAsync(new EncodedPacketSink(track).packets());
      return packets.map(({ timestamp, duration, data }) => [
        timestamp,
        duration,
        Buffer.from(data).toString('base64'),
      ]);
    }),
  );
}

/** For each frame that a decoder makes of a file: its digest, and when it is shown or heard. */
const framesOf = (bytes: Uint8Array): Promise<string> =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, 'file');
    await writeFile(path, bytes);
    const frames = await ffmpeg({ arguments: ['-v', 'error', '-xerror', '-i', path, '-f', 'framemd5', 'pipe:1'] });
    return frames.toString();
  });

const kinds = Object.entries(files).flatMap(([contentType, bytes]) => [
  { contentType, way: 'in memory', bytes, mark: markInMemory },
  // A WAV file is never marked while it is copied, because no result is one.
  ...(contentType === 'audio/wav' ? [] : [{ contentType, way: 'while it was copied', bytes, mark: markCopied }]),
]);

describe.each(kinds)('a file of type $contentType that was signed $way', ({ contentType, bytes, mark }) => {
  test('is valid, states how and when it was made, and is trusted if its authority is trusted', async () => {
    const marked = await mark(bytes, contentType, created);
    expect(marked.signedBy).toBe('Generation Service (local)');
    const files = [{ bytes: marked.bytes, contentType }];
    const [[valid], [trusted]] = await Promise.all([readCredentials(files), readCredentials(files, authority)]);
    expect(valid).toMatchObject({ state: 'Valid', complaints: ['signingCredential.untrusted'] });
    expect(trusted).toMatchObject({
      state: 'Trusted',
      complaints: [],
      actions: [
        {
          action: 'c2pa.created',
          when: at,
          digitalSourceType: sourceType('trainedAlgorithmicMedia'),
          softwareAgent: { name: 'engine/model' },
        },
      ],
      ingredients: [],
      generator: 'GenerationService',
      signedBy: 'Generation Service (local)',
      manifests: 1,
    });
  });

  test('is invalid if one byte of its content is changed', async () => {
    const marked = new Uint8Array((await mark(bytes, contentType, created)).bytes);
    const middle = bytes.subarray(bytes.length / 2, bytes.length / 2 + 16);
    const position = Buffer.from(marked.buffer).indexOf(middle);
    expect(position).toBeGreaterThan(0);
    marked[position] = (marked[position] ?? 0) ^ 1;
    const [read] = await readCredentials([{ bytes: marked, contentType }]);
    expect(read?.state).toBe('Invalid');
    expect(read?.complaints.some((code) => code.includes('ash.mismatch'))).toBe(true);
  });

  test('decodes to the same content as before, and is at most 16 KB larger', async () => {
    const marked = await mark(bytes, contentType, created);
    expect(marked.bytes.length - bytes.length).toBeLessThan(16 * 1024);
    expect(await contentOf(contentType, marked.bytes)).toEqual(await contentOf(contentType, bytes));
    const [before, after] = await Promise.all([framesOf(bytes), framesOf(marked.bytes)]);
    expect(before.split('\n').filter((line) => !line.startsWith('#')).length).toBeGreaterThan(1);
    expect(after).toEqual(before);
  });

  test('keeps its earlier credentials, as those of its parent', async () => {
    const engines = await mark(bytes, contentType, created);
    const [read] = await readCredentials([
      { bytes: (await mark(engines.bytes, contentType, created)).bytes, contentType },
    ]);
    expect(read).toMatchObject({ state: 'Valid', manifests: 2 });
    expect(read?.actions.map(({ action }) => action)).toEqual(['c2pa.opened', 'c2pa.published']);
    expect(read?.actions[1]?.digitalSourceType).toBe(sourceType('trainedAlgorithmicMedia'));
    expect(read?.ingredients).toMatchObject([
      { relationship: 'parentOf', active_manifest: expect.stringContaining('urn:c2pa') },
    ]);
  });

  test('carries the credentials of the file that was changed and of those that influenced it', async () => {
    const inputs = await Promise.all(
      (['image/png', 'image/jpeg'] as const).map(async (type, index) => ({
        isEdited: index === 0,
        contentType: type,
        bytes: (await markInMemory(files[type], type, created)).bytes,
      })),
    );
    const marked = await mark(bytes, contentType, edited(...inputs));
    const [read] = await readCredentials([{ bytes: marked.bytes, contentType }]);
    expect(read).toMatchObject({ state: 'Valid', manifests: 3 });
    expect(read?.actions).toMatchObject([
      { action: 'c2pa.opened' },
      { action: 'c2pa.edited', digitalSourceType: sourceType('compositeWithTrainedAlgorithmicMedia') },
    ]);
    const credentials = expect.stringContaining('urn:c2pa');
    expect(read?.ingredients).toMatchObject([
      { relationship: 'parentOf', format: 'image/png', active_manifest: credentials },
      { relationship: 'inputTo', format: 'image/jpeg', active_manifest: credentials },
    ]);
  });
});

test('input files without content, of unreadable types or without credentials are named without credentials', async () => {
  const origin = edited(
    { isEdited: true, contentType: 'video/mp4' },
    { isEdited: false, contentType: 'audio/ogg', bytes: new Uint8Array(Buffer.from('OggS, but not for long')) },
    { isEdited: false, contentType: 'image/png', bytes: files['image/png'] },
    { isEdited: false },
  );
  const marked = await markInMemory(files['image/png'], 'image/png', origin);
  const [read] = await readCredentials([{ bytes: marked.bytes, contentType: 'image/png' }]);
  expect(read).toMatchObject({ state: 'Valid', manifests: 1 });
  expect(read?.ingredients.map(({ relationship, format }) => [relationship, format])).toEqual([
    ['parentOf', 'video/mp4'],
    ['inputTo', 'audio/ogg'],
    ['inputTo', 'image/png'],
    ['inputTo', undefined],
  ]);
});

test('a file whose content does not match its type cannot be signed, and the error does not quote it', async () => {
  const secret = Buffer.from('secret words of a caller');
  const error: Error = (await markInMemory(secret, 'image/png', created).catch(
    (reason: unknown) => reason as Error,
  )) as Error;
  expect(error.name).toBe('UnmarkableFile');
  expect(JSON.stringify([error.message, error.stack, error.cause])).not.toMatch(/secret|73, ?65/);
});

test('files that are signed at the same time are all valid', async () => {
  const marked = await Promise.all(
    Array.from({ length: 8 }, () => markInMemory(files['image/png'], 'image/png', created)),
  );
  const read = await readCredentials(marked.map(({ bytes }) => ({ bytes, contentType: 'image/png' })));
  expect(read.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'Valid'));
});

test('real photographs and speech with credentials are valid', async () => {
  const media = [
    ['image/webp', 'coffee.webp'],
    ['audio/mpeg', 'voice.mp3'],
  ] as const;
  for (const [contentType, name] of media) {
    const bytes = await readFile(new URL(`../../site/media/${name}`, import.meta.url));
    const [read] = await readCredentials([
      { bytes: (await markInMemory(bytes, contentType, created)).bytes, contentType },
    ]);
    expect(read?.state).toBe('Valid');
  }
});

test('a file whose credentials are damaged is signed again, as changed from a file without credentials', async () => {
  const damaged = Buffer.from((await markInMemory(files['image/png'], 'image/png', created)).bytes);
  damaged.fill(0xff, damaged.indexOf('c2pa.claim') - 30, damaged.indexOf('c2pa.claim') + 10);
  const marked = await Promise.all([markInMemory, markCopied].map((mark) => mark(damaged, 'image/png', created)));
  for (const { state, manifests, actions, ingredients } of await readCredentials(
    marked.map(({ bytes }) => ({ bytes, contentType: 'image/png' })),
  )) {
    expect([state, manifests, actions[0]?.action]).toEqual(['Valid', 1, 'c2pa.opened']);
    expect(ingredients.map(({ relationship }) => relationship)).toEqual(['parentOf']);
  }
});

test.each(Object.entries(files))(
  'no file of type %s is signed while a certificate is not valid',
  async (type, bytes) => {
    for (const days of [-1, 21 * 366]) {
      const at = credentialsAt({ now: () => systemClock.now() + days * dayMs });
      const marks =
        type === 'audio/wav'
          ? [at.mark(bytes, type, created)]
          : [at.mark(bytes, type, created), markCopiedBy(at, bytes, type, created)];
      for (const mark of marks) await expect(mark).rejects.toMatchObject({ name: 'CertificateNotValid' });
    }
  },
);

const unusualEnds: readonly (readonly [what: string, end: (film: Buffer) => Buffer])[] = [
  ['a last box without a size', withoutLastSize],
  ['3 zeros after its last box', (film) => Buffer.concat([film, Buffer.alloc(3)])],
  ['many zeros after its last box', (film) => Buffer.concat([film, Buffer.alloc(1003)])],
];

test.each(unusualEnds)('a film with %s is signed like any other', async (_end, withEnd) => {
  const bytes = withEnd(await tinyMp4(2));
  const marked = await Promise.all([markInMemory, markCopied].map((mark) => mark(bytes, 'video/mp4', created)));
  const read = await readCredentials(marked.map((file) => ({ bytes: file.bytes, contentType: 'video/mp4' })));
  expect(read.map(({ state }) => state)).toEqual(['Valid', 'Valid']);
  for (const file of marked)
    expect(await contentOf('video/mp4', file.bytes)).toEqual(await contentOf('video/mp4', bytes));
});

test('a film that ends with anything but zeros and a box cannot be signed, and is passed on unchanged', async () => {
  const film = await tinyMp4(2);
  for (const end of ['0000', '00'.repeat(2000)].map((zeros) => Buffer.from(`${zeros}07`, 'hex'))) {
    const bytes = Buffer.concat([film, end]);
    await expect(markCopied(bytes, 'video/mp4', created)).rejects.toMatchObject({ name: 'UnmarkableFile' });
    expect(await copyUnmarked(bytes)).toEqual(bytes);
  }
});

test('a film whose last box has no size cannot be signed if its length was not announced, and the error says so', async () => {
  const film = withoutLastSize(await tinyMp4(2));
  const marking = credentials.markLarge({ contentType: 'video/mp4' }, (large) => {
    passedBy(large, film);
    return large.marked(created);
  });
  const why = 'a box has no size, and the length of the download was not announced';
  await expect(marking).rejects.toMatchObject({ name: 'UnmarkableFile', message: expect.stringContaining(why) });
});

test('a film that is not signed keeps the zeros after its last box, and its earlier credentials', async () => {
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

test('a manifest of several segments is valid, however little of it is in the last segment', async () => {
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
