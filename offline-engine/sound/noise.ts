/** Building blocks of synthesized audio: noise, filters, envelopes and short tones. */
import type { SeededRandom } from '../image/seeded-random.ts';
import { type Sound, samplesPerSecond, silentSound } from './sound.ts';

export const whiteNoise = (length: number, random: SeededRandom): Float32Array =>
  Float32Array.from({ length }, () => random.next() * 2 - 1);

const dampingAt = (hertz: number) => 1 - Math.exp((-2 * Math.PI * hertz) / samplesPerSecond);

/** Removes frequencies above a limit, in place. */
export const lowPass = (samples: Float32Array, hertz: number): Float32Array => {
  const damping = dampingAt(hertz);
  let level = 0;
  for (let at = 0; at < samples.length; at += 1) {
    level += damping * ((samples[at] ?? 0) - level);
    samples[at] = level;
  }
  return samples;
};

/** Removes frequencies below a limit, in place. */
export const highPass = (samples: Float32Array, hertz: number): Float32Array => {
  const damping = dampingAt(hertz);
  let level = 0;
  for (let at = 0; at < samples.length; at += 1) {
    const sample = samples[at] ?? 0;
    level += damping * (sample - level);
    samples[at] = sample - level;
  }
  return samples;
};

/** Multiplies by a slowly changing value, in place. */
export const shaped = (samples: Float32Array, gain: (seconds: number) => number): Float32Array => {
  const step = 256;
  for (let start = 0; start < samples.length; start += step) {
    const [from, to] = [gain(start / samplesPerSecond), gain((start + step) / samplesPerSecond)];
    for (let at = start; at < Math.min(samples.length, start + step); at += 1) {
      samples[at] = (samples[at] ?? 0) * (from + ((to - from) * (at - start)) / step);
    }
  }
  return samples;
};

/** Creates two different channels of the same kind. */
export const stereo = (seconds: number, channel: (length: number) => Float32Array): Sound => {
  const length = Math.round(seconds * samplesPerSecond);
  return { left: channel(length), right: channel(length) };
};

export interface Tone {
  readonly startSeconds: number;
  readonly seconds: number;
  readonly hertz: number;
  /** The pitch at the end. */
  readonly endHertz?: number;
  readonly loudness: number;
  /** The position from 0 (left) to 1 (right). */
  readonly side: number;
  /** The share of the duration in which it fades in. */
  readonly attack?: number;
}

/** Adds a sine tone that fades in and out. */
export const addTone = (sound: Sound, tone: Tone): void => {
  const { startSeconds, seconds, hertz, endHertz = hertz, loudness, side, attack = 0.1 } = tone;
  const [start, length] = [Math.round(startSeconds * samplesPerSecond), Math.round(seconds * samplesPerSecond)];
  let turns = 0;
  for (let at = 0; at < length && start + at < sound.left.length; at += 1) {
    const share = at / length;
    turns += (hertz + (endHertz - hertz) * share) / samplesPerSecond;
    const envelope = share < attack ? share / attack : ((1 - share) / (1 - attack)) ** 2;
    const sample = Math.sin(2 * Math.PI * turns) * envelope * loudness;
    sound.left[start + at] = (sound.left[start + at] ?? 0) + sample * (1 - side);
    sound.right[start + at] = (sound.right[start + at] ?? 0) + sample * side;
  }
};

/** Adds short bursts of noise, such as drops, claps and clicks, this many per second on average. */
export const withBursts = (
  seconds: number,
  random: SeededRandom,
  { perSecond, burstSeconds, loudness }: { perSecond: number; burstSeconds: number; loudness: number },
): Sound => {
  const sound = silentSound(seconds);
  const length = Math.round(burstSeconds * samplesPerSecond);
  for (let count = 0; count < perSecond * seconds; count += 1) {
    const start = Math.floor(random.next() * sound.left.length);
    const [side, strength] = [random.next(), loudness * random.between(0.3, 1)];
    for (let at = 0; at < length && start + at < sound.left.length; at += 1) {
      const sample = (random.next() * 2 - 1) * strength * Math.exp((-5 * at) / length);
      sound.left[start + at] = (sound.left[start + at] ?? 0) + sample * (1 - side);
      sound.right[start + at] = (sound.right[start + at] ?? 0) + sample * side;
    }
  }
  return sound;
};
