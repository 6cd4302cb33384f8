/** Files with Content Credentials, as c2pa-python reads them and as decoders play them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inTemporaryFolder } from '../../fakes/temporary-folder.ts';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { dayMs, systemClock } from '../../shared/platform/clock.ts';
import type { Origin } from '../../shared/provenance/provenance.ts';
import { readCredentials } from '../support/read-credentials.ts';
import { at, contentOf, created, files, markCopiedBy, markingInTests } from './marked-files.ts';

const { authority, credentialsAt, markCopied, markInMemory } = markingInTests();

const edited = (...inputs: Origin['inputs']): Origin => ({
  ...created,
  digitalSourceType: 'compositeWithTrainedAlgorithmicMedia',
  inputs,
});

const sourceType = (name: Origin['digitalSourceType']) => `http://cv.iptc.org/newscodes/digitalsourcetype/${name}`;

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
  test('is valid, states how and when it was made, and is trusted by those who trust the signing authority', async () => {
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

  test('contains the credentials of the file that was changed and of the files that influenced it', async () => {
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

test('an input file without content, of an unreadable type or without credentials is named without credentials', async () => {
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

test.each(Object.entries(files))(
  'a result keeps the credentials of an input of type %s',
  async (contentType, bytes) => {
    const input = { isEdited: true, contentType, bytes: (await markInMemory(bytes, contentType, created)).bytes };
    const marked = await markInMemory(files['image/png'], 'image/png', edited(input));
    const [read] = await readCredentials([{ bytes: marked.bytes, contentType: 'image/png' }]);
    expect(read).toMatchObject({ state: 'Valid', manifests: 2 });
  },
);

test('a result keeps no credentials of more than ten manifests, which take long to verify', async () => {
  let input: Origin['inputs'][number] = { isEdited: true, contentType: 'image/png', bytes: files['image/png'] };
  for (let manifests = 1; manifests <= 11; manifests += 1) {
    const { bytes } = await markInMemory(files['image/png'], 'image/png', edited(input));
    const [read] = await readCredentials([{ bytes, contentType: 'image/png' }]);
    expect(read?.manifests).toBe(manifests);
    input = { ...input, bytes };
  }
  const { bytes } = await markInMemory(files['image/png'], 'image/png', edited(input));
  const [read] = await readCredentials([{ bytes, contentType: 'image/png' }]);
  expect(read).toMatchObject({ state: 'Valid', manifests: 1, ingredients: [{ relationship: 'parentOf' }] });
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

test('photographs and speech from the documentation have valid credentials once they are signed', async () => {
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

test('a file whose credentials are damaged is signed as a changed version of a file without credentials', async () => {
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
  'no file of type %s is signed before or after the validity of a certificate',
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
