/** A line of speech for a video, with a maximum duration and without silence at its ends. */
import { loudnessOver, readWav, type Sound, samplesPerSecond, secondsOfSound, silentSound } from '../sound/sound.ts';
import { espeak } from './espeak.ts';
import type { Persona } from './persona.ts';
import { type Expression, personaVariant } from './persona-variant.ts';
import { hasWords, speakableText } from './speakable-text.ts';

interface SpokenLine {
  readonly text: string;
  /** An eSpeak voice, such as `pt-br`. */
  readonly language: string;
  readonly persona: Persona;
  readonly expression: Expression;
  readonly longestSeconds: number;
}

/** The program's maximum speed; faster speech is compressed afterwards. */
const maxWordsPerMinute = 440;
const partSeconds = 0.01;

/** Removes the silence before and after the words. */
const trimmed = (sound: Sound): Sound => {
  const parts = loudnessOver(sound, partSeconds);
  const min = 0.02 * Math.max(...parts);
  const first = parts.findIndex((loudness) => loudness > min);
  const last = parts.findLastIndex((loudness) => loudness > min);
  const at = (part: number) => Math.round(part * partSeconds * samplesPerSecond);
  return sound.slice(at(first), at(last + 1));
};

/** Returns silence if there is nothing to pronounce. */
export const speakLine = async (line: SpokenLine): Promise<Sound> => {
  const { language, longestSeconds } = line;
  const text = speakableText(line.text);
  if (!hasWords(text)) return silentSound(0);
  const { variant, wordsPerMinute } = personaVariant(line.persona, line.expression);
  const speak = async (speed: number, tempo?: number) =>
    trimmed(await readWav(await espeak({ language, variant, text, wordsPerMinute: speed }), tempo));
  const first = await speak(wordsPerMinute);
  if (secondsOfSound(first) <= longestSeconds) return first;
  const faster = Math.ceil((wordsPerMinute * secondsOfSound(first) * 1.05) / longestSeconds);
  const speed = Math.min(maxWordsPerMinute, faster);
  const second = await speak(speed);
  const excess = secondsOfSound(second) / longestSeconds;
  return excess <= 1 ? second : speak(speed, excess * 1.02);
};
