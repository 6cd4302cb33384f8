/** Detects truncated files: those shorter than their own structure requires. */
import { jpegIsComplete, mp3IsComplete, pngIsComplete, riffIsComplete } from './file-structures.ts';
import { bytesAt, type Walk } from './file-walk.ts';
import { growingBlock } from './growing-block.ts';
import { mp4IsComplete } from './mp4-structure.ts';

const nothing = new Uint8Array();
const exists = new Uint8Array(1);

/** A file of another type is not judged. */
function* isComplete(): Walk<boolean> {
  const head = yield* bytesAt(0, 8);
  if (head.length < 8) return true;
  const name = head.toString('latin1', 0, 4);
  if (head.toString('latin1', 4) === 'ftyp') return yield* mp4IsComplete(head.readUInt32BE(0));
  if (name === 'RIFF') return yield* riffIsComplete(head.readUInt32LE(4));
  if (name === '\x89PNG') return yield* pngIsComplete();
  if (head.readUInt16BE(0) === 0xffd8) return yield* jpegIsComplete(head);
  const isMp3 = name.startsWith('ID3') || head.readUInt16BE(0) >= 0xffe0;
  return isMp3 ? yield* mp3IsComplete(head) : true;
}

export interface FileExtent {
  /** Takes the next bytes of the file. */
  add(chunk: Uint8Array): void;
  /** For a file of so many bytes altogether; undefined if that depends on bytes that were not added yet. */
  isTruncated(totalBytes: number): boolean | undefined;
}

/** For a file that is read from its beginning. */
export function fileExtent(): FileExtent {
  const walk = isComplete();
  let step = walk.next();
  let position = 0;
  let block = growingBlock(0);
  const expectSpan = () => {
    if (!step.done) block = growingBlock(step.value.end - step.value.start);
  };
  const proceed = (bytes: Uint8Array) => {
    step = walk.next(bytes);
    expectSpan();
  };
  expectSpan();
  return {
    add(chunk) {
      const chunkAt = position;
      position += chunk.length;
      while (!step.done) {
        const { start, end, isRead } = step.value;
        if (position <= start) return;
        block.add(chunk.subarray(Math.max(0, start + block.bytes().length - chunkAt)));
        if (position < end) return;
        proceed(isRead ? block.bytes() : exists);
      }
    },
    isTruncated(totalBytes) {
      while (!step.done) {
        if (position < totalBytes && step.value.start < totalBytes) return undefined;
        proceed(block.bytes());
      }
      return !step.value;
    },
  };
}

export const isTruncated = (file: Uint8Array): boolean => {
  const extent = fileExtent();
  extent.add(file);
  return extent.isTruncated(file.length) === true;
};

interface ReadableParts {
  readonly size: number;
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A file of many parts is not followed to its end over a network. */
const maxReads = 16;

/** For a file that is read in parts; undefined if it would take too many of them. */
export async function isTruncatedFile(file: ReadableParts): Promise<boolean | undefined> {
  const { size } = file;
  const walk = isComplete();
  let step = walk.next();
  for (let reads = 0; !step.done; ) {
    const { start, end, isRead } = step.value;
    if (start >= size || !isRead) {
      step = walk.next(start >= size ? nothing : exists);
      continue;
    }
    if (reads === maxReads) return undefined;
    reads += 1;
    step = walk.next(await file.read(start, Math.min(end, size)));
  }
  return !step.value;
}
