/** The smallest valid videos, for tests that do not depend on their content. */
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';

interface TinyVideo {
  readonly width?: number;
  readonly height?: number;
  /** The position of the index, which contains the size and duration. */
  readonly index?: 'first' | 'last';
  /** The duration of the audio; if absent, there is no audio track. */
  readonly soundSeconds?: number;
}

/** The number of samples in an AAC frame. */
const samplesPerFrame = 1024;

/** An MP4 with one frame that lasts the given time. The container is complete, but the frame cannot be decoded. */
export async function tinyMp4(
  seconds: number,
  { width = 64, height = 48, index = 'first', soundSeconds }: TinyVideo = {},
): Promise<Buffer> {
  const target = new BufferTarget();
  const format = new Mp4OutputFormat({ fastStart: index === 'first' && 'in-memory' });
  const output = new Output({ format, target });
  const track = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(track);
  const sound = new EncodedAudioPacketSource('aac');
  if (soundSeconds !== undefined) output.addAudioTrack(sound);
  await output.start();
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: width, codedHeight: height };
  await track.add(new EncodedPacket(new Uint8Array(16), 'key', 0, seconds), { decoderConfig });
  if (soundSeconds !== undefined) {
    const sampleRate = 8000;
    const description = Uint8Array.of(0x15, 0x88);
    const decoderConfig = { codec: 'mp4a.40.2', numberOfChannels: 1, sampleRate, description };
    const frames = Math.ceil((soundSeconds * sampleRate) / samplesPerFrame);
    for (let frame = 0; frame < frames; frame += 1) {
      const [at, end] = [(frame * samplesPerFrame) / sampleRate, ((frame + 1) * samplesPerFrame) / sampleRate];
      const packet = new EncodedPacket(new Uint8Array(16), 'key', at, Math.min(end, soundSeconds) - at);
      await sound.add(packet, { decoderConfig });
    }
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}

/** The video with the positions of its samples moved by a number of bytes. */
function movedSamples(video: Buffer, bytes: number): Buffer {
  const moved = Buffer.from(video);
  for (let table = moved.indexOf('stco'); table !== -1; table = moved.indexOf('stco', table + 1)) {
    const entries = table + 12;
    const end = entries + 4 * moved.readUInt32BE(table + 8);
    for (let at = entries; at < end; at += 4) moved.writeUInt32BE(moved.readUInt32BE(at) + bytes, at);
  }
  return moved;
}

/** The same video with the given number of meaningless bytes between its first box and the rest. */
export function* paddedMp4(video: Buffer, bytes: number): Generator<Buffer> {
  const firstBox = video.readUInt32BE(0);
  yield video.subarray(0, firstBox);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(bytes);
  head.write('free', 4);
  yield head;
  const block = Buffer.alloc(2 ** 20, 7);
  for (let left = bytes - head.length; left > 0; left -= block.length)
    yield block.subarray(0, Math.min(left, block.length));
  yield movedSamples(video.subarray(firstBox), bytes);
}

/**
 * The same video as a phone in upright position records it: stored on its side, and rotated clockwise by the matrix of
 * its track.
 */
export function withRotation(video: Buffer): Buffer {
  const bytes = Buffer.from(video);
  const matrix = bytes.indexOf('tkhd') + 4 + 40;
  const quarterTurn = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000];
  for (const [index, value] of quarterTurn.entries()) bytes.writeInt32BE(value, matrix + index * 4);
  return bytes;
}

/** The same video with a last box that has no size, as written by encoders that did not know its length in advance. */
export function withoutLastSize(video: Buffer): Buffer {
  const bytes = Buffer.from(video);
  let last = 0;
  for (let at = 0; at < video.length; at += video.readUInt32BE(at)) last = at;
  bytes.writeUInt32BE(0, last);
  return bytes;
}
