/** The results of the measured engine: recognized by their content, and of the assumed size. */
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import { resultBytes } from './assumptions.ts';
import type { Kind } from './task-record.ts';

export interface EngineResult {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly extension: string;
}

/** MPEG frames of silence, 128 kbit/s at 44.1 kHz. */
function silence(bytes: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xff_fb_90_64);
  return Buffer.alloc(bytes, frame);
}

/** The video of a creative task without wishes: five seconds of 720 × 1280 pixels, in one frame. */
async function video(bytes: number): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const track = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(track);
  await output.start();
  const decoderConfig = { codec: 'vp09.00.31.08', codedWidth: 720, codedHeight: 1280 };
  await track.add(new EncodedPacket(new Uint8Array(bytes), 'key', 0, 5), { decoderConfig });
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}

export const engineResult = async (kind: Kind): Promise<EngineResult> =>
  kind === 'video'
    ? { bytes: await video(resultBytes.video), contentType: 'video/mp4', extension: 'mp4' }
    : { bytes: silence(resultBytes.speech), contentType: 'audio/mpeg', extension: 'mp3' };
