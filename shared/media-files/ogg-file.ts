/** Measures an Ogg by the packets of all of its streams, whether parallel or consecutive. */
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, excessive, truncated, unreadable } from './media-fault.ts';
import { checksumAt, oggChecksum } from './ogg-checksum.ts';
import { OggStream, type PageParts } from './ogg-stream.ts';
import type { Work } from './work.ts';

const headBytes = 27;
const mark = 'OggS';
const flags = { continued: 1, first: 2, last: 4 } as const;
const maxFlags = flags.continued + flags.first + flags.last;

interface Page extends PageParts {
  readonly serial: number;
  readonly isFirst: boolean;
  readonly granule: number;
  readonly whole: Buffer;
  /** Whether the mark of another page begins within this one, also if it ends behind it. */
  readonly hasOtherMark: boolean;
  readonly end: number;
}

function* pageAt(file: FileWindow, at: number): Walk<Page> {
  // Decoders do not recognize an Ogg whose first page has another version or further flags.
  if (file.u8(at + 4) !== 0 || file.u8(at + 5) > maxFlags) throw unreadable();
  const count = file.u8(at + headBytes - 1);
  if (!(yield* file.load(at, headBytes + count))) throw truncated();
  let length = headBytes + count;
  for (let part = at + headBytes; part < at + headBytes + count; part += 1) length += file.u8(part);
  if (!(yield* file.load(at, length))) throw truncated();
  yield* file.load(at, length + mark.length - 1);
  const { bytes } = file;
  const head = at - file.start;
  const mask = file.u8(at + 5);
  return {
    serial: bytes.readUInt32LE(head + 14),
    isFirst: (mask & flags.first) !== 0,
    isContinued: (mask & flags.continued) !== 0,
    granule: bytes.readUInt32LE(head + 6) + bytes.readInt32LE(head + 10) * 2 ** 32,
    bytes,
    table: head + headBytes,
    count,
    content: head + headBytes + count,
    whole: bytes.subarray(head, head + length),
    hasOtherMark: bytes.subarray(head + 1, head + length + mark.length - 1).includes(mark, 0, 'latin1'),
    end: at + length,
  };
}

/**
 * Decoders skip a page with a wrong checksum, and search it for other pages. Only of headers is the checksum computed:
 * without one of the other pages, less is played. @throws {MediaFault} contradictory
 */
function requireOwnContent({ hasOtherMark, whole }: Page, isHeader: boolean, work: Work): void {
  if (hasOtherMark) throw contradictory('has pages inside of other pages');
  if (!isHeader) return;
  work.visit(whole.length / bytesOfElement);
  if (oggChecksum(whole) !== whole.readUInt32LE(checksumAt)) throw contradictory('has headers with a wrong checksum');
}

/** Streams that run in parallel; a file may have several such groups, one after the other. */
interface Group {
  readonly streams: Map<number, OggStream>;
  hasBegun: boolean;
}

/** Finds the next page of an Ogg in the same way as players do. */
function nextPage(file: FileWindow, at: number): number {
  const found = file.bytes.indexOf(mark, at + 1 - file.start, 'latin1');
  return found < 0 ? Math.max(at + 1, file.end - 3) : file.start + found;
}

/** How many bytes of a checksum count as one element of work. */
const bytesOfElement = 256;
const maxStrayBytes = 65_536;
/** The most streams in all groups; a radio recording has one per song. */
const maxStreams = 1024;

function* groupsIn(file: FileWindow, work: Work): Walk<readonly Group[]> {
  const groups: Group[] = [];
  let [at, stray, streams] = [0, 0, 0];
  while (yield* file.load(at, headBytes)) {
    work.visit();
    if (file.text(at, 4) !== mark) {
      const next = nextPage(file, at);
      stray += next - at;
      if (stray > maxStrayBytes) throw contradictory('contains bytes that are no sound');
      at = next;
      continue;
    }
    const page = yield* pageAt(file, at);
    work.visit(page.count / 16);
    at = page.end;
    let group = groups.at(-1);
    if (page.isFirst && (!group || group.hasBegun)) {
      group = { streams: new Map(), hasBegun: false };
      groups.push(group);
    }
    if (!group) throw unreadable();
    if (page.isFirst) {
      if (group.streams.has(page.serial)) throw contradictory('has two streams with the same number');
      streams += 1;
      if (streams > maxStreams) throw excessive();
      group.streams.set(page.serial, new OggStream(work));
    } else group.hasBegun = true;
    const stream = group.streams.get(page.serial);
    if (!stream) throw contradictory('has pages of a stream that does not begin');
    requireOwnContent(page, stream.isInHeaders, work);
    stream.add(page);
    stream.granule(page.granule);
  }
  return groups;
}

/** Measures the file. @throws {MediaFault} */
export function* measureOgg(file: FileWindow, work: Work): Walk<MeasuredFile> {
  const groups = yield* groupsIn(file, work);
  const streams = groups.flatMap((group) => [...group.streams.values()]);
  if (!streams.some(({ kind }) => kind === 'sound')) throw unreadable();
  // Decoders continue the audio of an earlier stream with the same serial number.
  const used = groups.flatMap((group) => [...group.streams]);
  for (const [serial, { kind }] of used)
    if (kind !== 'sound' && used.filter(([other]) => other === serial).length > 1)
      throw contradictory('has two streams with the same number');
  if (new Set(streams.flatMap(({ format }) => format ?? [])).size > 1)
    throw contradictory('has streams of different formats: export it again');
  let durationSec = 0;
  for (const [index, { streams: parallel }] of groups.entries()) {
    durationSec += Math.max(...[...parallel.values()].map((stream) => stream.seconds(index === 0)));
  }
  return { contentType: 'audio/ogg', name: 'Ogg', hasVideo: false, hasAudio: true, durationSec };
}
