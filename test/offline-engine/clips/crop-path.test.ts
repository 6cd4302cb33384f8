/** The visible part of the frame in a clip. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CropNode,
  cropPath,
  cropSize,
  offsetExpression,
  type Sighting,
} from '../../../offline-engine/clips/crop-path.ts';

const face = (center: number, size = 0.1): readonly Sighting[] => [{ center, size }];

/** Evaluates an expression like ffmpeg: a sum of numbers, steps and ramps. */
const valueAt = (expression: string, t: number): number => {
  const number = '-?[\\d.]+';
  const ramp = `clip\\(\\(t-(${number})\\)/(${number}),0,1\\)`;
  const term = new RegExp(`^([+-]?[\\d.]+)(?:\\*(?:gte\\(t,(${number})\\)|${ramp}))?`);
  let sum = 0;
  for (let rest = expression; rest !== ''; ) {
    const [whole, factor, step, from, length] = term.exec(rest) ?? expect.fail(`ffmpeg cannot compute ${rest}`);
    const isReached = step === undefined || t >= Number(step);
    const share =
      from === undefined ? Number(isReached) : Math.min(1, Math.max(0, (t - Number(from)) / Number(length)));
    sum += Number(factor) * share;
    rest = rest.slice(whole.length);
  }
  return sum;
};

const shareOf = (path: readonly CropNode[]) => (time: number) => valueAt(offsetExpression(path), time);

it('a crop is the largest part of the frame with the requested aspect ratio', () => {
  expect(cropSize(16 / 9, 9 / 16).height).toBe(1);
  expect(cropSize(16 / 9, 9 / 16).width).toBeCloseTo(81 / 256);
  expect(cropSize(9 / 16, 1)).toEqual({ width: 1, height: 9 / 16 });
  expect(cropSize(16 / 9, 16 / 9)).toEqual({ width: 1, height: 1 });
});

describe('the path of a crop', () => {
  it('stays in the middle without faces', () => {
    const path = cropPath({ sightings: [[], [], []], stepSeconds: 0.5, scenes: [] }, 0.4);
    expect(shareOf(path)(1)).toBeCloseTo(0.3);
  });

  it('stays in the middle if only a few samples have a face, such as a reflection', () => {
    const sightings = Array.from({ length: 24 }, (_, index) => (index % 3 === 0 ? face(0.8) : []));
    const at = shareOf(cropPath({ sightings, stepSeconds: 0.5, scenes: [] }, 0.4));
    expect([0, 3, 11].map(at).every((offset) => Math.abs(offset - 0.3) < 0.001)).toBe(true);
  });

  it('stays still around a face that hardly moves, and within the frame at its edge', () => {
    const still = cropPath({ sightings: [face(0.6), face(0.61), [], face(0.59)], stepSeconds: 0.5, scenes: [] }, 0.4);
    expect([0, 0.7, 2].map(shareOf(still)).every((offset) => Math.abs(offset - 0.4) < 0.01)).toBe(true);
    const edge = cropPath({ sightings: [face(0.98)], stepSeconds: 0.5, scenes: [] }, 0.4);
    expect(shareOf(edge)(0)).toBeCloseTo(0.6);
  });

  it('follows a face that walks across the frame', () => {
    const sightings = Array.from({ length: 40 }, (_, index) => face(0.2 + (0.6 * index) / 39));
    const at = shareOf(cropPath({ sightings, stepSeconds: 0.5, scenes: [] }, 0.3));
    for (const [index, [{ center = 0 } = {}]] of sightings.entries()) {
      const offset = at(index * 0.5);
      expect(center).toBeGreaterThan(offset);
      expect(center).toBeLessThan(offset + 0.3);
    }
  });

  it('jumps exactly at a scene change, and not before', () => {
    const sightings = [...Array.from({ length: 8 }, () => face(0.2)), ...Array.from({ length: 8 }, () => face(0.8))];
    const at = shareOf(cropPath({ sightings, stepSeconds: 0.5, scenes: [3.9] }, 0.3));
    expect(at(3.89)).toBeCloseTo(0.05, 2);
    expect(at(3.91)).toBeCloseTo(0.65, 2);
  });

  it('shows two faces if both fit into the crop, and otherwise stays with one of them', () => {
    const both = [...face(0.4), ...face(0.6)];
    const near = cropPath({ sightings: [both, both], stepSeconds: 0.5, scenes: [] }, 0.5);
    expect(shareOf(near)(0)).toBeCloseTo(0.25);
    const apart = [...face(0.1, 0.12), ...face(0.9)];
    const far = cropPath({ sightings: [apart, apart.toReversed()], stepSeconds: 0.5, scenes: [] }, 0.3);
    expect([0, 0.5].map(shareOf(far))).toEqual([0, 0]);
  });

  it('never leaves the frame, wherever the faces are', () => {
    const sighting = fc.record({
      center: fc.double({ min: -1, max: 2, noNaN: true }),
      size: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const scenes = fc.uniqueArray(fc.double({ min: 0.1, max: 20, noNaN: true }), { maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(fc.array(sighting, { maxLength: 3 }), { maxLength: 40 }),
        scenes,
        fc.double({ min: 0.1, max: 0.99, noNaN: true }),
        (sightings, changes, share) => {
          const ordered = changes.toSorted((one, other) => one - other);
          const at = shareOf(cropPath({ sightings, stepSeconds: 0.5, scenes: ordered }, share));
          for (let time = 0; time < 21; time += 0.25) {
            expect(at(time)).toBeGreaterThanOrEqual(-0.01);
            expect(at(time)).toBeLessThanOrEqual(1 - share + 0.01);
          }
        },
      ),
    );
  });
});
