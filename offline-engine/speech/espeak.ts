/** Converts text to speech with eSpeak NG in a child process. */
import { fileURLToPath } from 'node:url';
import { runChild } from '../run-child.ts';

export interface EspeakOrder {
  /** An eSpeak voice, such as `pt-br`. */
  readonly language: string;
  /** An eSpeak variant file, see persona-variant.ts. */
  readonly variant: string;
  readonly wordsPerMinute: number;
  readonly text: string;
}

const program = fileURLToPath(new URL('./espeak-program.ts', import.meta.url));
const timeLimitSeconds = 60;

/** Returns a WAV file, 22.05 kHz mono. */
export const espeak = (order: EspeakOrder): Promise<Buffer> =>
  runChild({
    program: process.execPath,
    arguments: [program],
    input: JSON.stringify(order),
    timeLimitSeconds,
  });
