/** WAV files in the voices' format: one channel of 16 bits. */

const samplesPerSecond = 22_050;
const headBytes = 44;

/** A file of silence. */
export const silence = (seconds: number): Buffer => {
  const soundBytes = Math.round(seconds * samplesPerSecond) * 2;
  const wav = Buffer.alloc(headBytes + soundBytes);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(headBytes - 8 + soundBytes, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(samplesPerSecond, 24);
  wav.writeUInt32LE(samplesPerSecond * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(soundBytes, 40);
  return wav;
};

/** The duration of a file. */
export const secondsOf = (wav: Buffer): number => (wav.length - headBytes) / 2 / wav.readUInt32LE(24);
