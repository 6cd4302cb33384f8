/**
 * Reads the type, duration and dimensions of an audio or video file from its container, without decoding: MP4, MOV, M4A,
 * WebM, Matroska, MP3, WAV, Ogg, ADTS and FLAC.
 */
import {
  ADTS,
  CustomSource,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  ReadableStreamSource,
  WAVE,
  WEBM,
} from 'mediabunny';
import { bytesAt, type Walk } from './file-walk.ts';
import { followFile, followStream } from './follow-walk.ts';
import { mp3Start } from './mp3-summary.ts';
import type { ReadableFile } from './readable-file.ts';
import { contradictsItself } from './wav-head.ts';

export interface ContainerFacts {
  /** Such as `video/mp4`, `video/quicktime`, `video/webm`, `video/x-matroska`; `audio/…` without a picture; `audio/flac`. */
  readonly contentType: string;
  /** The name to display: `WebM`. */
  readonly name: string;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  readonly durationSec: number;
  /** When the last frame ends, whatever the sound does. */
  readonly videoSec?: number;
  /** Pixels, as displayed. */
  readonly width?: number;
  readonly height?: number;
}

const formats = [MP4, QTFF, MP3, WAVE, OGG, WEBM, MATROSKA, ADTS, FLAC];
const cacheBytes = 8 * 2 ** 20;
/** A file that is read as a stream is buffered only up to this many bytes back. */
const streamCacheBytes = 16 * 2 ** 20;

/** Reads are awaited; an error between them can be ignored. */
const handleUnhandledError = (): void => undefined;

const headBytes = 4096;

/** The samples that the encoder of an MP3 added. */
function* mp3Padding(): Walk<number> {
  const { summary } = yield* mp3Start(yield* bytesAt(0, 8));
  return summary?.paddingSamples ?? 0;
}

interface Watched {
  readonly file: ReadableFile;
  /** The first bytes, as far as they have been read. */
  readonly head: () => Uint8Array;
  /** Of an MP3 that has been read. */
  readonly paddingSamples: () => Promise<number>;
}

function watched(file: ReadableFile): Watched {
  let head = Buffer.alloc(0);
  const note = (start: number, bytes: Uint8Array) => {
    if (start === head.length && start < headBytes) head = Buffer.concat([head, bytes.subarray(0, headBytes)]);
  };
  if (file.access === 'stream') {
    const following = followStream(mp3Padding());
    let position = 0;
    const body = async function* () {
      for await (const chunk of file.body) {
        note(position, chunk);
        following.add(chunk);
        position += chunk.length;
        yield chunk;
      }
    };
    const paddingSamples = async () => following.result(position) ?? 0;
    return { file: { ...file, body: body() }, head: () => head, paddingSamples };
  }
  const read: typeof file.read = async (start, end) => {
    const bytes = await file.read(start, end);
    note(start, bytes);
    return bytes;
  };
  const reread: typeof file.read = async (start, end) =>
    end <= head.length ? head.subarray(start, end) : file.read(start, end);
  const paddingSamples = async () => (await followFile(mp3Padding(), { size: file.size, read: reread })) ?? 0;
  return { file: { ...file, read }, head: () => head, paddingSamples };
}

function sourceOf(file: ReadableFile) {
  if (file.access === 'stream') {
    const stream = ReadableStream.from(file.body);
    return new ReadableStreamSource(stream, { maxCacheSize: streamCacheBytes, handleUnhandledError });
  }
  return new CustomSource({
    getSize: () => file.size,
    read: (start, end) => file.read(start, end),
    maxCacheSize: cacheBytes,
    prefetchProfile: 'network',
    handleUnhandledError,
  });
}

function contentTypeOf(mimeType: string, hasVideo: boolean): string {
  if (mimeType === 'application/ogg') return hasVideo ? 'video/ogg' : 'audio/ogg';
  return hasVideo ? mimeType : mimeType.replace(/^video\//, 'audio/');
}

/** Undefined for an unknown format or a damaged file; rejects with the error of reading the file. */
export async function readContainer(given: ReadableFile): Promise<ContainerFacts | undefined> {
  const { file, head, paddingSamples } = watched(given);
  const input = new Input({ source: sourceOf(file), formats });
  try {
    if (!(await input.canRead())) return undefined;
    const format = await input.getFormat();
    if (format === WAVE && contradictsItself(head())) return undefined;
    const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    if (!video && !audio) return undefined;
    const frameFacts = video && {
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      videoSec: await video.computeDuration(),
    };
    const codedSec = await input.computeDuration();
    const paddingSec = format === MP3 && audio ? (await paddingSamples()) / (await audio.getSampleRate()) : 0;
    return {
      contentType: contentTypeOf(format.mimeType, video !== null),
      name: format.name,
      hasVideo: video !== null,
      hasAudio: audio !== null,
      durationSec: paddingSec < codedSec ? codedSec - paddingSec : codedSec,
      ...frameFacts,
    };
  } finally {
    input.dispose();
    if (file.access === 'stream') file.close();
  }
}
