/** Content Credentials of files that are built in an unusual way. */
import { deflateSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { c2paModule, memoryBlob } from '../../shared/provenance/c2pa-module.ts';
import { readCredentials } from '../support/read-credentials.ts';
import { tinyMp4, withoutLastSize } from '../support/tiny-video.ts';
import { contentOf, created, files, markingInTests, passedBy } from './marked-files.ts';

const { credentials, manifests, markCopied, markInMemory } = markingInTests();

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

const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x78, value.length]), Buffer.from(value)]);
const bytes = (value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 255]), value]);

/** An identity whose key is at the host that it names: a credential in a COSE_Sign1, with any signature. */
const identity = (host: string) => ({
  sigType: 'cawg.identity_claims_aggregation',
  reserveSize: 4000,
  referencedAssertions: [],
  roles: [],
  async sign({
    referencedAssertions,
    sigType,
  }: {
    referencedAssertions: { url: string; hash: Uint8Array }[];
    sigType: string;
  }) {
    const verifiedIdentities = [
      {
        type: 'cawg.social_media',
        username: 'x',
        uri: `https://${host}/x`,
        verifiedAt: '2024-09-01T00:00:00Z',
        provider: { id: `https://${host}/`, name: 'x' },
      },
    ];
    const referenced = referencedAssertions.map(({ url, hash }) => ({
      url,
      hash: Buffer.from(hash).toString('base64'),
    }));
    const credential = {
      '@context': ['https://www.w3.org/ns/credentials/v2', 'https://cawg.io/identity/1.1/ica/context/'],
      type: ['VerifiableCredential', 'IdentityClaimsAggregationCredential'],
      issuer: `did:web:${host}`,
      validFrom: '2024-10-03T21:47:02Z',
      verifiedIdentities,
      credentialSubject: { verifiedIdentities, c2paAsset: { referenced_assertions: referenced, sig_type: sigType } },
    };
    const header = Buffer.concat([Buffer.from([0xa2, 0x01, 0x27, 0x03]), text('application/vc')]);
    const parts = [
      bytes(header),
      Buffer.from([0xa0]),
      bytes(Buffer.from(JSON.stringify(credential))),
      bytes(Buffer.alloc(64, 1)),
    ];
    return new Uint8Array(Buffer.concat([Buffer.from([0xd2, 0x84]), ...parts]));
  },
});

test('a file whose credentials name an identity of another host is marked without a request to that host', async () => {
  const c2pa = await c2paModule();
  const actions = [
    { action: 'c2pa.created', digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture' },
  ];
  const assertions = [{ label: 'c2pa.actions.v2', data: { actions, allActionsIncluded: true } }];
  const builder = c2pa.WasmBuilder.fromJson(
    JSON.stringify({ claim_generator_info: [{ name: 'x', version: '1' }], assertions }),
    JSON.stringify({ verify: { verify_after_sign: false, verify_after_reading: false } }),
  );
  const { definition } = await manifests();
  const file = await builder.sign(
    definition,
    [identity('shop.example.com')],
    'image/png',
    memoryBlob(new Uint8Array(files['image/png'])),
  );
  const requested = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no request was expected'));
  expect((await markInMemory(file, 'image/png', created)).signedBy).toContain('Generation Service');
  expect(requested).not.toHaveBeenCalled();
  requested.mockRestore();
});

/** A number of ID3 2.4, of seven bits a byte. */
const syncSafe = (value: number): Buffer => Buffer.from([21, 14, 7, 0].map((bits) => (value >> bits) & 127));

test('an MP3 is not signed if the library would decompress its metadata to megabytes', async () => {
  const megabytes = Buffer.alloc(3 * 2 ** 20);
  const content = Buffer.concat([syncSafe(megabytes.length), deflateSync(megabytes)]);
  const frame = Buffer.concat([Buffer.from('PRIV'), syncSafe(content.length), Buffer.from([0, 9]), content]);
  const header = Buffer.concat([Buffer.from('ID3\u0004\0\0', 'latin1'), syncSafe(frame.length)]);
  const bytes = new Uint8Array(Buffer.concat([header, frame, files['audio/mpeg']]));
  await expect(markInMemory(bytes, 'audio/mpeg', created)).rejects.toMatchObject({
    name: 'UnmarkableFile',
    message: 'a file could not be marked: its credentials would be too large',
  });
});
