/** The resonances of a voice, which tell the size of a throat independently of the pitch. */
import type { Sound } from './sound.ts';

const samplesPerSecond = 22_050;
const frameSamples = 1024;
/** Two for each resonance below 5.5 kHz, and two for the slope. */
const order = 12;

const autocorrelation = (frame: Float64Array): number[] =>
  Array.from({ length: order + 1 }, (_, lag) => {
    let sum = 0;
    for (let at = 0; at + lag < frame.length; at += 1) sum += (frame[at] ?? 0) * (frame[at + lag] ?? 0);
    return sum;
  });

/** Linear prediction by Levinson and Durbin. */
const predictor = (correlation: readonly number[]): number[] => {
  let coefficients = [1];
  let error = correlation[0] ?? 0;
  for (let step = 1; step <= order; step += 1) {
    let sum = 0;
    for (let at = 0; at < step; at += 1) sum += (coefficients[at] ?? 0) * (correlation[step - at] ?? 0);
    const reflection = -sum / error;
    const previous = [...coefficients, 0];
    coefficients = previous.map((value, at) => value + reflection * (previous[step - at] ?? 0));
    error *= 1 - reflection ** 2;
  }
  return coefficients;
};

/** The strength of a predictor's resonance at a frequency, in dB. */
const responseDb = (coefficients: readonly number[], hertz: number, rate: number): number => {
  let [real, imaginary] = [0, 0];
  coefficients.forEach((value, at) => {
    const angle = (-2 * Math.PI * hertz * at) / rate;
    real += value * Math.cos(angle);
    imaginary += value * Math.sin(angle);
  });
  return -10 * Math.log10(real ** 2 + imaginary ** 2);
};

/** The mean envelope of a sound's loud frames over frequencies in steps of 25 Hz up to 5 kHz, in dB. */
const envelope = ({ samples }: Sound): number[] => {
  const rate = samplesPerSecond / 2;
  const sums = Array.from({ length: 200 }, () => 0);
  for (let start = 0; start + 2 * frameSamples <= samples.length; start += frameSamples) {
    const frame = Float64Array.from({ length: frameSamples / 2 }, (_, at) => {
      const here = (samples[start + 2 * at] ?? 0) + (samples[start + 2 * at + 1] ?? 0);
      const before = (samples[start + 2 * at - 2] ?? 0) + (samples[start + 2 * at - 1] ?? 0);
      const window = 0.54 - 0.46 * Math.cos((4 * Math.PI * at) / frameSamples);
      return (here - 0.95 * before) * window;
    });
    const correlation = autocorrelation(frame);
    if ((correlation[0] ?? 0) < 1e7) continue;
    const coefficients = predictor(correlation);
    sums.forEach((sum, step) => {
      sums[step] = sum + responseDb(coefficients, 25 * (step + 1), rate);
    });
  }
  return sums;
};

/** By how much the resonances of one sound of the same words are higher than those of another. */
export const formantShift = (one: Sound, other: Sound): number => {
  const [from, to] = [envelope(one), envelope(other)];
  const centered = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const likeness = (factor: number): number => {
    const steps = Array.from({ length: 130 }, (_, index) => index + 12);
    const left = centered(steps.map((step) => from[step] ?? 0));
    const right = centered(steps.map((step) => to[Math.round(step * factor)] ?? Number.NaN));
    const product = left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
    return product / Math.sqrt(left.reduce((s, v) => s + v * v, 0) * right.reduce((s, v) => s + v * v, 0));
  };
  const factors = Array.from({ length: 81 }, (_, index) => 0.6 + index / 100);
  return factors.reduce((best, factor) => (likeness(factor) > likeness(best) ? factor : best), 1);
};
