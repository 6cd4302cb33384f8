/** Which credentials of callers' files the C2PA library may read, which has no limits of its own. */
import { expect, test } from 'vitest';
import { hasExcessiveCredentials, withReadableCredentials } from '../../shared/provenance/readable-credentials.ts';

function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

const manifest = (bytes = 100): Buffer =>
  box('jumb', box('jumd', Buffer.from('c2ma')), box('cbor', Buffer.alloc(bytes)));
/** A box with a label, whose description is one of JUMBF. */
const labelled = (label: string, bytes: number): Buffer =>
  box('jumb', box('jumd', Buffer.alloc(17), Buffer.from(`${label}\0`)), box('cbor', Buffer.alloc(bytes)));
const signature = labelled('c2pa.signature', 16_000);
const hash = labelled('c2pa.hash.data', 900);
const reference = Buffer.from('self#jumbf=c2pa.assertions/c2pa.hash.data self#jumbf=/c2pa/urn/c2pa.signature');
const signed = (...boxes: readonly Buffer[]): Buffer =>
  box('jumb', box('jumd', Buffer.from('c2ma')), box('cbor', reference), ...boxes);
const store = (...manifests: readonly Buffer[]): Buffer => box('jumb', box('jumd', Buffer.from('c2pa')), ...manifests);
const manifests = (count: number): Buffer => store(...Array.from({ length: count }, () => manifest()));
const many = <Part>(count: number, part: Part): Part[] => Array.from({ length: count }, () => part);

const chunk = (name: string, content: Buffer): Buffer =>
  Buffer.concat([box(name, content).fill(0, 0, 4), Buffer.alloc(4)]);
function pngChunk(name: string, content: Buffer): Buffer {
  const made = chunk(name, content);
  made.writeUInt32BE(content.length);
  return made;
}
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const png = (
  credentials: readonly Buffer[],
  others: readonly Buffer[] = [],
  behind: Buffer = Buffer.alloc(0),
): Buffer =>
  Buffer.concat([
    pngSignature,
    ...credentials.map((one) => pngChunk('caBX', one)),
    ...others,
    pngChunk('IDAT', Buffer.alloc(2_000_000)),
    pngChunk('IEND', Buffer.alloc(0)),
    behind,
  ]);

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}
function segments(credentials: Buffer, bytes: number): Buffer[] {
  const [head, content] = [credentials.subarray(0, 8), credentials.subarray(8)];
  return Array.from({ length: Math.ceil(content.length / bytes) }, (_, index) => {
    const number = Buffer.from([0, 1, 0, 0, 0, index + 1]);
    return segment(
      0xeb,
      Buffer.concat([Buffer.from('JP'), number, head, content.subarray(index * bytes).subarray(0, bytes)]),
    );
  });
}
const scan = Buffer.concat([segment(0xda, Buffer.alloc(10)), Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3])]);
const jpeg = (parts: readonly Buffer[], behind: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...parts,
    scan,
    segment(0xc4, Buffer.alloc(9)),
    scan,
    Buffer.from([0xff, 0xd9]),
    behind,
  ]);

function webp(credentials: Buffer, unannounced: Buffer = Buffer.alloc(0)): Buffer {
  const chunks = [['VP8 ', Buffer.alloc(2_000_001)] as const, ['C2PA', credentials] as const].map(([name, content]) => {
    const made = chunk(name, content);
    made.write(name, 0, 'latin1');
    made.writeUInt32LE(content.length, 4);
    return made.subarray(0, 8 + content.length + (content.length % 2));
  });
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const head = Buffer.from('RIFF0000');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, unannounced]);
}

const sizeOf = (bytes: number): Buffer =>
  Buffer.from([bytes >> 21, bytes >> 14, bytes >> 7, bytes].map((part) => part & 127));
const frame = (name: string, content: Buffer, flags = 0): Buffer =>
  Buffer.concat([Buffer.from(name), sizeOf(content.length), Buffer.from([0, flags]), content]);
const object = (credentials: Buffer): Buffer =>
  Buffer.concat([Buffer.from('\x03application/c2pa\0c2pa\0store\0'), credentials]);
function mp3(...frames: readonly Buffer[]): Buffer {
  const tag = Buffer.concat([...frames, Buffer.alloc(20_000)]);
  return Buffer.concat([Buffer.from('ID3\x04\0\0'), sizeOf(tag.length), tag, Buffer.alloc(2_000_000, 0xff)]);
}

const uuid = (credentials: Buffer): Buffer =>
  box(
    'uuid',
    Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex'),
    Buffer.alloc(4),
    Buffer.from('manifest\0'),
    Buffer.alloc(8),
    credentials,
  );
const mp4 = (credentials: Buffer, ...boxes: readonly Buffer[]): Buffer =>
  Buffer.concat([box('ftyp', Buffer.alloc(8)), uuid(credentials), ...boxes, box('mdat', Buffer.alloc(2_000_000))]);
const free = box('free');

/** Whether the library may read each of the files, which are all inputs of one result. */
const areReadable = (...files: readonly (readonly [contentType: string, bytes: Buffer])[]): boolean[] =>
  withReadableCredentials(files.map(([contentType, bytes]) => ({ isEdited: true, contentType, bytes }))).map(
    ({ bytes }) => bytes !== undefined,
  );

test.each<[string, string, Buffer]>([
  ['a PNG', 'image/png', png([manifests(10)])],
  ['a JPEG', 'image/jpeg', jpeg(segments(manifests(10), 65_000))],
  ['a JPEG in several segments', 'image/jpeg', jpeg(segments(manifests(10), 100))],
  ['a WebP', 'image/webp', webp(manifests(10))],
  ['a PNG, each with a signature and a hash', 'image/png', png([store(...many(10, signed(signature, hash)))])],
  ['an MP3', 'audio/mpeg', mp3(frame('TIT2', Buffer.alloc(9)), frame('GEOB', object(manifests(10))))],
  ['an MP4', 'video/mp4', mp4(manifests(10), box('moov', box('trak', free), box('udta', Buffer.alloc(500))))],
])('the library may read credentials of ten manifests in %s', (_, contentType, bytes) => {
  expect(areReadable([contentType, bytes])).toEqual([true]);
});

const large = Buffer.alloc(1_048_577);

test.each<[string, string, Buffer]>([
  ['has no credentials', 'image/png', png([])],
  ['is of a type that the library cannot read', 'audio/ogg', png([manifests(1)])],
  ['has credentials of eleven manifests', 'image/png', png([manifests(11)])],
  ['has eleven manifests in segments that divide the name of each box', 'image/jpeg', jpeg(segments(manifests(11), 7))],
  ['has a compressed manifest', 'image/webp', webp(store(box('jumb', box('brob', Buffer.alloc(9)))))],
  ['has a manifest of two hashes', 'image/png', png([store(signed(hash, labelled('c2pa.hash.data__1', 9)))])],
  ['has a large description of a hash', 'image/png', png([store(signed(labelled('c2pa.hash.bmff.v3', 1000)))])],
  ['has a manifest of two signatures', 'image/png', png([store(signed(signature, signature))])],
  ['has a large signature', 'image/png', png([store(signed(labelled('c2pa.signature', 17_000)))])],
  ['has hashes in other boxes', 'image/png', png([store(signed(hash, box('jumb', box('jumd'), hash)))])],
  [
    'has a hash whose label looks like a reference',
    'image/png',
    png([store(signed(hash, labelled('c2pa.assertions/c2pa.hash.data__1', 9)))]),
  ],
  [
    'has a hash whose label does not end',
    'image/png',
    png([
      store(signed(hash, box('jumb', box('jumd', Buffer.alloc(17), Buffer.from('c2pa.hash.data__1')), box('cbor')))),
    ]),
  ],
  ['has a box that does not fill another one', 'image/png', png([store(signed(box('jumb', Buffer.alloc(4))))])],
  ['has credentials twice', 'image/png', png([manifests(1), manifests(1)])],
  ['has credentials behind its end, too', 'image/png', png([manifests(1)], [], pngChunk('caBX', manifests(11)))],
  [
    'has credentials behind its end, too',
    'image/jpeg',
    jpeg(segments(manifests(1), 65_000), segments(manifests(11), 65_000)[0]),
  ],
  ['has more than it announces', 'image/webp', webp(manifests(1), Buffer.from('EXIF\x02\0\0\0..', 'latin1'))],
  ['has credentials that say another length', 'image/png', png([Buffer.concat([manifests(1), manifest()])])],
  ['has a box without a length', 'image/png', png([store(Buffer.alloc(8))])],
  ['has a thousand chunks', 'image/png', png([manifests(1)], many(1000, pngChunk('tEXt', Buffer.alloc(1))))],
  ['has a megabyte of metadata', 'image/png', png([manifests(1)], [pngChunk('iTXt', large)])],
  [
    'has a marker without a segment',
    'image/jpeg',
    jpeg([segment(0xd0, Buffer.alloc(2)), ...segments(manifests(1), 100)]),
  ],
  ['has a compressed frame', 'audio/mpeg', mp3(frame('GEOB', object(manifests(1))), frame('PRIV', Buffer.alloc(9), 8))],
  ['has a chapter', 'audio/mpeg', mp3(frame('CHAP', Buffer.alloc(9)), frame('GEOB', object(manifests(1))))],
  ['has a table of contents', 'audio/mpeg', mp3(frame('GEOB', object(manifests(1))), frame('CTOC', Buffer.alloc(9)))],
  ['has a tag of another version', 'audio/mpeg', mp3(frame('GEOB', object(store(manifest(0))))).fill(2, 3, 4)],
  [
    'has a box of another kind of length',
    'video/mp4',
    mp4(manifests(1), Buffer.concat([Buffer.from('\0\0\0\x01free\0\0\0\0\0\0\x01\x67'), Buffer.alloc(343)])),
  ],
  ['has its tag compressed', 'audio/mpeg', mp3(frame('GEOB', object(manifests(1)))).fill(0x80, 5, 6)],
  ['has a frame that is longer than its tag', 'audio/mpeg', mp3(frame('GEOB', object(manifests(1)))).fill(0, 7, 9)],
  ['has a text of two bytes a letter', 'audio/mpeg', mp3(frame('GEOB', object(manifests(1)).fill(1, 0, 1)))],
  ['has a thousand boxes', 'video/mp4', mp4(manifests(1), ...many(1000, free))],
  ['has a thousand boxes in others', 'video/mp4', mp4(manifests(1), box('moov', box('trak', ...many(1000, free))))],
  [
    'may have a thousand boxes in one of an unknown type',
    'video/mp4',
    mp4(manifests(1), box('moof', ...many(1000, free))),
  ],
  ['has a megabyte of metadata', 'video/mp4', mp4(manifests(1), box('free', large))],
  ['is truncated', 'video/mp4', mp4(manifests(1)).subarray(0, -1)],
  ['is truncated', 'image/jpeg', jpeg(segments(manifests(1), 100)).subarray(0, -2)],
])('the library reads no file that %s (%s)', (_, contentType, bytes) => {
  expect(areReadable([contentType, bytes])).toEqual([false]);
});

test('the library reads at most 256 KB of credentials for a result', () => {
  const file = (bytes: number) => ['image/png', png([store(manifest(bytes))])] as const;
  expect(areReadable(file(100_000), file(200_000), file(100_000), file(100_000))).toEqual([true, false, true, false]);
});

test('the library reads credentials that name at most twenty files for a result', () => {
  const naming = (count: number) =>
    ['image/png', png([store(signed(...many(count, labelled('c2pa.ingredient.v3', 10))))])] as const;
  const given = [naming(21), naming(11), naming(10), naming(9), naming(1)];
  expect(areReadable(...given)).toEqual([false, true, false, true, false]);
  const isExcessive = ([contentType, bytes]: (typeof given)[number]) => hasExcessiveCredentials({ contentType, bytes });
  expect([...given, ['image/png', png([])] as const].map(isExcessive)).toEqual([true, ...many(5, false)]);
});
