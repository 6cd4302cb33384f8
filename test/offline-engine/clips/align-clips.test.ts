/** Where clips begin and end if a scene changes close by. */
import { expect, it } from 'vitest';
import { alignedClip } from '../../../offline-engine/clips/align-clips.ts';

const pauses = [
  { start: 9.5, end: 10.2 },
  { start: 39.7, end: 42 },
];
const clip = { start: 10, end: 40 };

it.each([
  ['a clip begins with a scene that changes in the pause before its speech', [10.1], { start: 10.099, end: 40 }],
  ['a clip ends with a scene that changes in the pause after its speech', [39.8], { start: 10, end: 39.799 }],
  ['both ends are moved', [10.15, 39.75], { start: 10.149, end: 39.749 }],
  ['a scene that changes while somebody speaks moves nothing', [10.3, 39.6], clip],
  ['a scene that changes far from the ends moves nothing', [10.6, 39.4], clip],
  ['a scene that changes outside the clip moves nothing', [9.9, 40.2], clip],
])('%s', (_, scenes, expected) => {
  expect(alignedClip(clip, scenes, pauses)).toEqual(expected);
});

it('a clip never becomes shorter than 15 seconds', () => {
  const shortest = { start: 10, end: 25.05 };
  expect(alignedClip(shortest, [10.1], pauses)).toBe(shortest);
});

it('a clip of a short video never loses more than half', () => {
  const [tiny, silence] = [{ start: 0, end: 0.6 }, [{ start: 0, end: 2 }]];
  expect(alignedClip(tiny, [0.05], silence)).toEqual({ start: 0.049, end: 0.6 });
  expect(alignedClip(tiny, [0.45], silence)).toBe(tiny);
});
