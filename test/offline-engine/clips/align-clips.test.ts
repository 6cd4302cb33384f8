/** Where clips begin and end if there is a scene change nearby. */
import { expect, it } from 'vitest';
import { alignedClip } from '../../../offline-engine/clips/align-clips.ts';

const pauses = [
  { start: 9.5, end: 10.2 },
  { start: 39.7, end: 42 },
];
const clip = { start: 10, end: 40 };

it.each([
  ['a clip begins at a scene change in the pause before its speech', [10.1], { start: 10.099, end: 40 }],
  ['a clip ends at a scene change in the pause after its speech', [39.8], { start: 10, end: 39.799 }],
  ['both ends of a clip are moved to scene changes', [10.15, 39.75], { start: 10.149, end: 39.749 }],
  ['a scene change during speech moves neither end', [10.3, 39.6], clip],
  ['a scene change far from the ends moves neither end', [10.6, 39.4], clip],
  ['a scene change outside the clip moves neither end', [9.9, 40.2], clip],
])('a clip is aligned with scene changes: %s', (_, scenes, expected) => {
  expect(alignedClip(clip, scenes, pauses)).toEqual(expected);
});

it('an aligned clip never becomes shorter than 15 seconds', () => {
  const shortest = { start: 10, end: 25.05 };
  expect(alignedClip(shortest, [10.1], pauses)).toBe(shortest);
});

it('an aligned clip of a very short video keeps at least half of its length', () => {
  const [tiny, silence] = [{ start: 0, end: 0.6 }, [{ start: 0, end: 2 }]];
  expect(alignedClip(tiny, [0.05], silence)).toEqual({ start: 0.049, end: 0.6 });
  expect(alignedClip(tiny, [0.45], silence)).toBe(tiny);
});
