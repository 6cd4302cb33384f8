/** Computes from a recording how loud it is over time. */

/** The loudest sample of each part, relative to the loudest of all; silence is 0. */
export function peaksOf(samples: Float32Array, count: number): number[] {
  const length = samples.length / count;
  const peaks = Array.from({ length: count }, (_, index) =>
    samples
      .subarray(Math.floor(index * length), Math.floor((index + 1) * length))
      .reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
  );
  const loudest = Math.max(...peaks);
  return peaks.map((peak) => (loudest > 0 ? peak / loudest : 0));
}
