/** Recordings with known sentences and pauses: a tone represents speech. */

export interface SpokenSpan {
  readonly start: number;
  readonly end: number;
}

const samplesPerSecond = 8000;
const tonesPerSecond = 220;
const loudness = 12_000;

/** A WAV file with 16 bits per sample. */
export function spokenWav(spans: readonly SpokenSpan[], seconds: number): Buffer {
  const samples = Buffer.alloc(2 * Math.round(seconds * samplesPerSecond));
  for (const { start, end } of spans) {
    for (let at = Math.round(start * samplesPerSecond); at < Math.round(end * samplesPerSecond); at += 1) {
      const value = loudness * Math.sin((2 * Math.PI * tonesPerSecond * at) / samplesPerSecond);
      samples.writeInt16LE(Math.round(value), 2 * at);
    }
  }
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(samplesPerSecond, 24);
  header.writeUInt32LE(2 * samplesPerSecond, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

export const conversation: readonly SpokenSpan[] = [
  { start: 0.5, end: 3 },
  { start: 3.5, end: 4.1 },
  { start: 7, end: 9.9 },
];
export const conversationSeconds = 10;
