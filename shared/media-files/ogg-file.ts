/** Measures an Ogg by the packets of all of its streams, whether parallel or consecutive. */
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, excessive, truncated, unreadable } from './media-fault.ts';
import { OggStream } from './ogg-stream.ts';
import type { Work } from './work.ts';

const headBytes = 27;
const mark = 'OggS';
const flags = { continued: 1, first: 2 } as const;

interface Page {
  readonly serial: number;
  readonly isFirst: boolean;
  readonly granule: number;
  /** The lengths of the packet segments in the page. */
  readonly lengths: Buffer;
  readonly content: Buffer;
  readonly end: number;
}

function* pageAt(file: FileWindow, at: number): Walk<Page> {
  const head = file.view(at, headBytes);
  const count = head[26] ?? 0;
  if (!(yield* file.load(at, headBytes + count))) throw truncated();
  const lengths = Buffer.from(file.view(at + headBytes, count));
  const bytes = lengths.reduce((sum, length) => sum + length, 0);
  const from = at + headBytes + count;
  if (!(yield* file.load(at, headBytes + count + bytes))) throw truncated();
  const page = file.view(at, headBytes);
  return {
    serial: page.readUInt32LE(14),
    isFirst: ((page[5] ?? 0) & flags.first) !== 0,
    granule: Number(page.readBigInt64LE(6)),
    lengths,
    content: file.view(from, bytes),
    end: from + bytes,
  };
}

function addPage(stream: OggStream, { lengths, content, granule }: Page): void {
  let [at, length] = [0, 0];
  for (const part of lengths) {
    length += part;
    if (part === 255) continue;
    stream.add(content.subarray(at, at + length), true);
    at += length;
    length = 0;
  }
  if (length > 0) stream.add(content.subarray(at, at + length), false);
  stream.granule(granule);
}

/** Streams that run in parallel; a file may have several such groups, one after the other. */
interface Group {
  readonly streams: Map<number, OggStream>;
  hasBegun: boolean;
}

/** Finds the next page, as players do. */
function nextPage(file: FileWindow, at: number): number {
  const found = file.bytes.indexOf(mark, at + 1 - file.start, 'latin1');
  return found < 0 ? Math.max(at + 1, file.end - 3) : file.start + found;
}

const mostStrayBytes = 65_536;
/** The most streams of all groups; a radio recording has one per song. */
const mostStreams = 1024;

function* groupsIn(file: FileWindow, work: Work): Walk<readonly Group[]> {
  const groups: Group[] = [];
  let [at, stray, streams] = [0, 0, 0];
  while (yield* file.load(at, headBytes)) {
    work.visit();
    if (file.text(at, 4) !== mark) {
      const next = nextPage(file, at);
      stray += next - at;
      if (stray > mostStrayBytes) throw contradictory('contains bytes that are no sound');
      at = next;
      continue;
    }
    const page = yield* pageAt(file, at);
    work.visit(page.lengths.length / 16);
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
      if (streams > mostStreams) throw excessive();
      group.streams.set(page.serial, new OggStream());
    } else group.hasBegun = true;
    const stream = group.streams.get(page.serial);
    if (!stream) throw contradictory('has pages of a stream that does not begin');
    addPage(stream, page);
  }
  return groups;
}

/** Measures the file. @throws {MediaFault} */
export function* measureOgg(file: FileWindow, work: Work): Walk<MeasuredFile> {
  const groups = yield* groupsIn(file, work);
  const streams = groups.flatMap((group) => [...group.streams.values()]);
  const hasVideo = streams.some(({ kind }) => kind === 'picture');
  const hasAudio = streams.some(({ kind }) => kind === 'sound');
  if (!hasAudio && !hasVideo) throw unreadable();
  let durationSec = 0;
  for (const { streams: parallel } of groups) {
    durationSec += Math.max(...[...parallel.values()].map((stream) => stream.seconds()));
  }
  return { contentType: hasVideo ? 'video/ogg' : 'audio/ogg', name: 'Ogg', hasVideo, hasAudio, durationSec };
}
