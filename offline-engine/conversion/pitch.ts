/** Tracks the pitch of a voice. */

export interface PitchTrack {
  readonly stepSeconds: number;
  /** The pitch in Hz for each step; undefined where there is no voice. */
  readonly pitches: readonly (number | undefined)[];
  /** The median pitch; undefined without a voice. */
  readonly medianHz: number | undefined;
}

const lowestHz = 60;
const highestHz = 420;
const samplesPerSecond = 8000;
const stepSamples = 160;
const frameSamples = 400;
/** The least number of steps with a pitch in a recording that contains a voice. */
const minSteps = 4;
/** The least similarity of consecutive periods of a voice, from -1 to 1. */
const minLikeness = 0.7;
/** Steps with less power than this share of the loudest one have no pitch. */
const minPower = 1 / 1000;

/** Downsamples by averaging groups of samples. */
const thinned = (samples: Float32Array, factor: number): Float32Array =>
  Float32Array.from({ length: Math.floor(samples.length / factor) }, (_, index) => {
    let sum = 0;
    for (let at = index * factor; at < (index + 1) * factor; at += 1) sum += samples[at] ?? 0;
    return sum / factor;
  });

const powerOf = (frame: Float32Array): number => frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length;

const likenessAt = (frame: Float32Array, lag: number): number => {
  let [product, first, second] = [0, 0, 0];
  for (let at = 0; at + lag < frame.length; at += 1) {
    const [here, there] = [frame[at] ?? 0, frame[at + lag] ?? 0];
    product += here * there;
    first += here * here;
    second += there * there;
  }
  return product / Math.sqrt(first * second + 1e-12);
};

/** Interpolates the position of a peak between three neighbors, relative to the middle one. */
const peakOffset = (before: number, peak: number, after: number): number => {
  const curvature = before - 2 * peak + after;
  return curvature < 0 ? (before - after) / (2 * curvature) : 0;
};

const shortestLag = Math.floor(samplesPerSecond / highestHz);
const longestLag = Math.ceil(samplesPerSecond / lowestHz);

/** Determines the pitch by autocorrelation. */
const pitchOf = (frame: Float32Array): number | undefined => {
  const likenesses = new Float32Array(longestLag + 2);
  for (let lag = shortestLag - 1; lag < likenesses.length; lag += 1) likenesses[lag] = likenessAt(frame, lag);
  const at = (lag: number) => likenesses[lag] ?? 0;
  const best = likenesses.subarray(shortestLag, longestLag + 1).reduce((max, likeness) => Math.max(max, likeness));
  if (best < minLikeness) return undefined;
  // The first good peak is the period, because every multiple of it is nearly as good.
  for (let lag = shortestLag; lag <= longestLag; lag += 1) {
    if (at(lag) >= 0.9 * best && at(lag) >= at(lag - 1) && at(lag) >= at(lag + 1)) {
      return samplesPerSecond / (lag + peakOffset(at(lag - 1), at(lag), at(lag + 1)));
    }
  }
  return undefined;
};

/** Tracks the pitch; `thinning` is the factor by which the audio is downsampled first. */
export const pitchTrack = (sound: Float32Array, thinning: number): PitchTrack => {
  const samples = thinned(sound, thinning);
  const count = Math.ceil(samples.length / stepSamples);
  const frames = Array.from({ length: count }, (_, step) => {
    const middle = step * stepSamples;
    return samples.subarray(Math.max(0, middle - frameSamples / 2), middle + frameSamples / 2);
  });
  const powers = frames.map(powerOf);
  const loudest = powers.reduce((max, power) => Math.max(max, power), 0);
  const pitches = frames.map((frame, step) =>
    (powers[step] ?? 0) > loudest * minPower && frame.length === frameSamples ? pitchOf(frame) : undefined,
  );
  const known = pitches.filter((pitch) => pitch !== undefined).toSorted((one, other) => one - other);
  return {
    stepSeconds: stepSamples / samplesPerSecond,
    pitches,
    medianHz: known.length < minSteps ? undefined : known[Math.floor(known.length / 2)],
  };
};
