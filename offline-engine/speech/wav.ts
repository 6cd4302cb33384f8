/** Reads and writes mono WAV files with 16 bits. */

const headBytes = 44;

const wavHead = (soundBytes: number, samplesPerSecond: number): Buffer => {
  const head = Buffer.alloc(headBytes);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(headBytes - 8 + soundBytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(samplesPerSecond, 24);
  head.writeUInt32LE(samplesPerSecond * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(soundBytes, 40);
  return head;
};

/** A WAV file with samples from -1 to 1. */
export const wavOf = (samples: Float32Array, samplesPerSecond: number): Buffer => {
  const whole = Int16Array.from(samples, (sample) => Math.round(Math.min(1, Math.max(-1, sample)) * 32_767));
  return Buffer.concat([wavHead(whole.byteLength, samplesPerSecond), new Uint8Array(whole.buffer)]);
};

/** A WAV file of silence with the voices' 22,050 samples per second. */
export const silence = (seconds: number): Buffer => wavOf(new Float32Array(Math.round(seconds * 22_050)), 22_050);

/** The duration of a WAV file. */
export const secondsOf = (wav: Buffer): number => (wav.length - headBytes) / 2 / wav.readUInt32LE(24);
