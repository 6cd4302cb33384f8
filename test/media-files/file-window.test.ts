/** The requested parts of a file: few and large where it is read without gaps, small where parts are skipped. */
import { expect, test } from 'vitest';
import type { Span } from '../../shared/media-files/file-walk.ts';
import { FileWindow } from '../../shared/media-files/file-window.ts';

const size = 24 * 2 ** 20;

/** The byte ranges requested by a reader that reads seven bytes at regular distances. */
function spansOf(apart: number): readonly Span[] {
  const spans: Span[] = [];
  const file = new FileWindow(size);
  for (let at = 0; at + 7 <= size; at += apart) {
    const load = file.load(at, 7);
    for (let step = load.next(); !step.done; step = load.next(Buffer.alloc(step.value.end - step.value.start))) {
      spans.push(step.value);
    }
  }
  return spans;
}

test.each([104, 417, 1044, 9000])('a media file of frames of %i bytes is read in only a few dozen parts', (apart) => {
  expect(spansOf(apart).length).toBeLessThan(40);
});

test('only a small part of a media file is read if little of it is needed', () => {
  const bytes = spansOf(2 ** 20).reduce((sum, { start, end }) => sum + end - start, 0);
  expect(bytes).toBeLessThan(size / 8);
});
