import { describe, expect, test } from 'vitest';
import { peaksOf } from '../../dashboard/pages/tasks/peaks.ts';

describe('the waveform of a recording', () => {
  test('shows the loudest sample of each part relative to the loudest of all', () => {
    const samples = Float32Array.of(0.1, -0.5, 0, 0, 0.25, 0.1, -0.125, 0);
    expect(peaksOf(samples, 4)).toEqual([1, 0, 0.5, 0.25]);
  });

  test.each([
    ['silence', new Float32Array(8)],
    ['an empty recording', new Float32Array(0)],
  ])('is flat for %s', (_, samples) => {
    expect(peaksOf(samples, 4)).toEqual([0, 0, 0, 0]);
  });
});
