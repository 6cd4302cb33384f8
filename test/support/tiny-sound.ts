/** The smallest valid audio, silence, for tests that do not depend on its content. */

export const samplesPerSecond = 8000;

/** A WAV file of one channel. */
export function wavOf(samples: Buffer, bytesPerSample: 1 | 2): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(samplesPerSecond, 24);
  header.writeUInt32LE(bytesPerSample * samplesPerSecond, 28);
  header.writeUInt16LE(bytesPerSample, 32);
  header.writeUInt16LE(8 * bytesPerSample, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

export const tinyWav = (seconds: number): Buffer => wavOf(Buffer.alloc(Math.round(seconds * samplesPerSecond), 128), 1);

/** A silent MP3 frame of 576 samples at 16 kHz. */
const mp3Frame = Buffer.concat([Buffer.from('fff318c4', 'hex'), Buffer.alloc(32)]);
const secondsPerFrame = 576 / 16_000;

/** An MP3 file of about a kilobyte per second, after an empty tag. */
export const tinyMp3 = (seconds: number): Buffer =>
  Buffer.concat([
    Buffer.from('ID3\x03\0\0\0\0\0\0'),
    ...Array.from({ length: Math.round(seconds / secondsPerFrame) }, () => mp3Frame),
  ]);
