/** The files of a measurement (engine results and inputs): recognizable by their content, and of the assumed size. */
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import { readSample } from '../../infra/demo/images/sample-server.ts';
import type { VideoFrame } from '../../shared/contracts/video-frame.ts';
import {
  changedBytes,
  imageBytes,
  imitatedSeconds,
  recordingBytes,
  speechBytes,
  videoBytesPerSecond,
} from './assumptions.ts';
import type { Kind } from './task-record.ts';
import { type InputName, videoTasks } from './videos.ts';

export interface EngineResult {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly extension: string;
}

/** MPEG frames of silence, at 128 kbit/s and 44.1 kHz. */
function silence(bytes: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xff_fb_90_64);
  return Buffer.alloc(bytes, frame);
}

/** A video with a single frame that lasts for the whole duration. */
async function video({ width, height }: VideoFrame, seconds: number): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const track = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(track);
  await output.start();
  const decoderConfig = { codec: 'vp09.00.31.08', codedWidth: width, codedHeight: height };
  const frame = new EncodedPacket(new Uint8Array(seconds * videoBytesPerSecond), 'key', 0, seconds);
  await track.add(frame, { decoderConfig });
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}

export async function engineResult(kind: Kind): Promise<EngineResult> {
  if (kind === 'speech' || kind === 'voice-change') {
    const bytes = silence(kind === 'speech' ? speechBytes : changedBytes);
    return { bytes, contentType: 'audio/mpeg', extension: 'mp3' };
  }
  const { durationSec, ...frame } = videoTasks[kind].result;
  return { bytes: await video(frame, durationSec), contentType: 'video/mp4', extension: 'mp4' };
}

/** A small image, padded at the end to the assumed size. */
async function image(): Promise<Buffer> {
  const png = await readSample('coffee.png');
  return Buffer.concat([png, Buffer.alloc(imageBytes - png.length)]);
}

export const inputFiles = async (): Promise<Readonly<Record<InputName, Buffer>>> => ({
  'image.png': await image(),
  'motion.mp4': await video({ width: 720, height: 1280 }, imitatedSeconds),
  'recording.mp3': silence(recordingBytes),
});
