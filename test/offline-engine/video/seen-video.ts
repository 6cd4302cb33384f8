/** Decodes a video file: its tracks, and its first and last frames. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferSource, Input, MP4 } from 'mediabunny';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';

export interface SeenVideo {
  readonly seconds: number;
  readonly video: {
    readonly codec: string | null;
    readonly width: number;
    readonly height: number;
    readonly seconds: number;
    readonly frames: number;
  };
  readonly sound: { readonly codec: string | null; readonly channels: number } | undefined;
  /** The frame as a PNG. */
  readonly first: Buffer;
  readonly last: Buffer;
}

/** The frame shown at a time, as a PNG. */
const frameAt = async (file: Buffer, seconds: number): Promise<Buffer> => {
  const path = join(tmpdir(), `${randomUUID()}.mp4`);
  try {
    await writeFile(path, file);
    const position = ['-ss', String(seconds), '-i', path];
    return await ffmpeg({ arguments: [...position, ...'-frames:v 1 -f image2pipe -c:v png pipe:1'.split(' ')] });
  } finally {
    await rm(path, { force: true });
  }
};

export const seenVideo = async (file: Buffer): Promise<SeenVideo> => {
  const input = new Input({ formats: [MP4], source: new BufferSource(file) });
  try {
    const [picture, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    if (!picture) throw new Error('The file has no video track.');
    const { packetCount: frames } = await picture.computePacketStats();
    return {
      seconds: await input.computeDuration(),
      video: {
        codec: await picture.getCodec(),
        width: await picture.getDisplayWidth(),
        height: await picture.getDisplayHeight(),
        seconds: await picture.computeDuration(),
        frames,
      },
      sound: sound ? { codec: await sound.getCodec(), channels: await sound.getNumberOfChannels() } : undefined,
      first: await frameAt(file, 0),
      last: await frameAt(file, (frames - 1.5) / 30),
    };
  } finally {
    input.dispose();
  }
};
