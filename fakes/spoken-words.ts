/**
 * The words that fakes detect in a recording: there is a word wherever it is not silent, and a sentence ends at each
 * pause.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ffmpeg } from '../offline-engine/ffmpeg.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

export interface HeardWord {
  readonly text: string;
  /** The start of the word, in seconds. */
  readonly start: number;
  readonly end: number;
}

const samplesPerSecond = 8000;
/** The resolution of the times. */
const blockSeconds = 0.02;
const blockSamples = samplesPerSecond * blockSeconds;
/** The threshold of silence: about -40 dB, relative to 32768. */
const quiet = 330;
/** The shortest pause between two words. */
const pauseSeconds = 0.25;
const usualWordSeconds = 0.4;

const usualSpeech =
  'você sabia que este momento mostra como tudo começou e por que ninguém esperava o que aconteceu depois';

/** Determines for each block of samples whether it is loud. */
function loudBlocks() {
  const blocks: boolean[] = [];
  let [sum, samples] = [0, 0];
  let rest = Buffer.alloc(0);
  const add = (chunk: Buffer): void => {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 2);
    for (let at = 0; at < whole; at += 2) {
      sum += bytes.readInt16LE(at) ** 2;
      samples += 1;
      if (samples < blockSamples) continue;
      blocks.push(Math.sqrt(sum / samples) > quiet);
      [sum, samples] = [0, 0];
    }
    rest = bytes.subarray(whole);
  };
  return { blocks, add };
}

/** The spans from the first to the last loud block between two pauses. */
function runsIn(blocks: readonly boolean[]): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = [];
  for (const [block, isLoud] of blocks.entries()) {
    if (!isLoud) continue;
    const [start, end] = [block * blockSeconds, (block + 1) * blockSeconds];
    const last = runs.at(-1);
    if (last && start - last.end < pauseSeconds) last.end = end;
    else runs.push({ start, end });
  }
  return runs;
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

interface Hearing {
  /** The words of the transcript, repeated as often as necessary. */
  readonly speech?: string | undefined;
  readonly signal?: AbortSignal;
}

/** The words in a recording; undefined if it has no audio. @throws the reason of the signal, or the content's error */
export async function spokenWords(
  content: AsyncIterable<Uint8Array>,
  { speech = usualSpeech, signal }: Hearing,
): Promise<readonly HeardWord[] | undefined> {
  const { blocks, add } = loudBlocks();
  const format = ['-vn', '-ac', '1', '-ar', String(samplesPerSecond), '-f', 's16le', 'pipe:1'];
  const hasSound = await inTemporaryFolder(async (folder) => {
    const path = join(folder, 'recording');
    await writeFile(path, content, { signal });
    return ffmpeg({ arguments: ['-i', path, '-map', '0:a:0', ...format], onOutput: add }).then(
      () => true,
      () => false,
    );
  });
  if (!hasSound) return undefined;
  const vocabulary = speech.split(' ');
  let said = 0;
  return runsIn(blocks).flatMap(({ start, end }) => {
    const count = Math.max(1, Math.round((end - start) / usualWordSeconds));
    return Array.from({ length: count }, (_, index) => {
      const word = vocabulary[said % vocabulary.length] ?? '';
      said += 1;
      return {
        text: `${index === 0 ? capitalized(word) : word}${index === count - 1 ? '.' : ''}`,
        start: milliseconds(start + ((end - start) * index) / count),
        end: milliseconds(start + ((end - start) * (index + 1)) / count),
      };
    });
  });
}
