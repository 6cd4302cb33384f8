/** Measurements of an audio file, based on its decoded samples. */
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';

const samplesPerSecond = 22_050;
const frameSamples = 1024;
const lowestHz = 60;
const highestHz = 420;

export interface Sound {
  readonly samples: Int16Array;
  readonly seconds: number;
}

/** Decodes the file; fails if any part of it is broken. */
export const decode = async (file: Uint8Array): Promise<Sound> => {
  const raw = await ffmpeg({
    arguments: ['-xerror', '-i', 'pipe:0', '-ac', '1', '-ar', samplesPerSecond.toString(), '-f', 's16le', 'pipe:1'],
    input: file,
  });
  const samples = new Int16Array(new Uint8Array(raw).buffer);
  return { samples, seconds: samples.length / samplesPerSecond };
};

const likenessAt = (frame: Int16Array, lag: number) => {
  let product = 0;
  let first = 0;
  let second = 0;
  for (let index = 0; index + lag < frame.length; index += 1) {
    const here = frame[index] ?? 0;
    const there = frame[index + lag] ?? 0;
    product += here * there;
    first += here * here;
    second += there * there;
  }
  return product / Math.sqrt(first * second + 1);
};

/** The pitch by autocorrelation; undefined for unvoiced parts. */
const pitchOf = (frame: Int16Array): number | undefined => {
  const loudness = Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length);
  if (loudness < 300) return undefined;
  let best = { likeness: 0.8, lag: 0 };
  for (let lag = Math.ceil(samplesPerSecond / highestHz); lag < samplesPerSecond / lowestHz; lag += 1) {
    const likeness = likenessAt(frame, lag);
    // A slightly better match is not enough, because every multiple of the period is nearly as good.
    if (likeness > best.likeness * 1.02) best = { likeness, lag };
  }
  return best.lag === 0 ? undefined : samplesPerSecond / best.lag;
};

/** The pitch in Hz: its median, and the range of its middle 80%. */
export const melody = ({ samples }: Sound): { readonly medianHz: number; readonly spanHz: number } => {
  const pitches: number[] = [];
  for (let start = 0; start + frameSamples <= samples.length; start += frameSamples) {
    const pitch = pitchOf(samples.subarray(start, start + frameSamples));
    if (pitch !== undefined) pitches.push(pitch);
  }
  pitches.sort((left, right) => left - right);
  const at = (share: number) => pitches[Math.floor(share * (pitches.length - 1))] ?? Number.NaN;
  return { medianHz: at(0.5), spanHz: at(0.9) - at(0.1) };
};

/** The share of high frequencies: the strength of changes relative to the signal. */
export const brightness = ({ samples }: Sound): number => {
  let changes = 0;
  let strength = 0;
  samples.forEach((sample, index) => {
    changes += (sample - (samples[index - 1] ?? 0)) ** 2;
    strength += sample ** 2;
  });
  return Math.sqrt(changes / strength);
};

/** The highest peak of a sound, from 0 to 1. */
export const peak = ({ samples }: Sound): number =>
  samples.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0) / 2 ** 15;

const decibels = (share: number) => 20 * Math.log10(Math.max(share, 1e-6));

/** The loudness and the highest peak between two times, in dB below full scale. */
export const loudnessDb = ({ samples }: Sound, fromSeconds: number, toSeconds: number) => {
  const part = samples.subarray(fromSeconds * samplesPerSecond, toSeconds * samplesPerSecond);
  const power = part.reduce((sum, sample) => sum + sample ** 2, 0) / part.length;
  const highest = part.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
  return { meanDb: decibels(Math.sqrt(power) / 2 ** 15), peakDb: decibels(highest / 2 ** 15) };
};

/** The loudness of the quiet and of the loud parts of a sound, in dB below full scale. */
export const levels = ({ samples }: Sound) => {
  const length = Math.round(0.02 * samplesPerSecond);
  const loudness = Array.from({ length: Math.floor(samples.length / length) }, (_, index) => {
    const part = samples.subarray(index * length, (index + 1) * length);
    return Math.sqrt(part.reduce((sum, sample) => sum + sample ** 2, 0) / length) / 2 ** 15;
  }).toSorted((one, other) => one - other);
  const at = (share: number) => decibels(loudness[Math.floor(share * (loudness.length - 1))] ?? 0);
  return { quietDb: at(0.05), loudDb: at(0.9) };
};
