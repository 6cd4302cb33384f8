/** Recordings with known sentences and pauses: a tone represents speech. */
import { samplesPerSecond, wavOf } from './tiny-sound.ts';

export interface SpokenSpan {
  readonly start: number;
  readonly end: number;
}

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
  return wavOf(samples, 2);
}

export const conversation: readonly SpokenSpan[] = [
  { start: 0.5, end: 3 },
  { start: 3.5, end: 4.1 },
  { start: 7, end: 9.9 },
];
export const conversationSeconds = 10;
