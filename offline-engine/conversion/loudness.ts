/** Measures and adapts the loudness of speech. */
import { limited } from '../sound/sound.ts';
import { samplesPerSecond } from './move-voice.ts';

const frameSamples = Math.round(0.02 * samplesPerSecond);

const decibels = (power: number): number => 10 * Math.log10(power);

/** The power of each frame that is not digital silence, sorted. */
const powersOf = (sound: Float32Array): readonly number[] =>
  Array.from({ length: Math.floor(sound.length / frameSamples) }, (_, frame) => {
    const part = sound.subarray(frame * frameSamples, (frame + 1) * frameSamples);
    return part.reduce((sum, sample) => sum + sample * sample, 0) / frameSamples;
  })
    .filter((power) => power > 1e-9)
    .toSorted((one, other) => one - other);

/** The loudness of the words and of the noise between them, in dB below full scale; -Infinity for silence. */
export const loudnessOf = (sound: Float32Array) => {
  const powers = powersOf(sound);
  const words = powers.filter((power) => power > (powers.at(-1) ?? 0) / 1000);
  return {
    wordsDb: decibels(words.reduce((sum, power) => sum + power, 0) / words.length || 0),
    noiseDb: decibels(powers[Math.floor(powers.length / 20)] ?? 0),
  };
};

/** Scales the audio in place to the loudness of another. */
export const asLoudAs = (sound: Float32Array, other: Float32Array): Float32Array => {
  const gainDb = loudnessOf(other).wordsDb - loudnessOf(sound).wordsDb;
  const gain = Number.isFinite(gainDb) ? 10 ** (gainDb / 20) : 1;
  for (let at = 0; at < sound.length; at += 1) sound[at] = limited(gain * (sound[at] ?? 0));
  return sound;
};
