import { expect, it } from 'vitest';
import { below, type Card, margin, pageWidth, placeRow } from '../../../../infra/demo/pictures/sheet-layout.ts';

const tile = { caption: 'a.png', file: Buffer.alloc(0) };
const card = (tiles: number, note = ''): Card => ({
  title: 'image',
  note,
  tiles: Array.from({ length: tiles }, (_, index) => ({ ...tile, isResult: index === 1 })),
});

it('fills the width from margin to margin, with pictures of one height and of their own shape', () => {
  const row = placeRow([card(2), card(1)], [[1.5, 1.5], [0.75]], 100);

  const [first, second] = row;
  expect(first?.box.left).toBe(margin);
  const right = (second?.box.left ?? 0) + (second?.box.width ?? 0);
  expect(Math.abs(right - (pageWidth - margin))).toBeLessThanOrEqual(1);
  const boxes = row.flatMap((placed) => placed.boxes);
  for (const [index, aspect] of [1.5, 1.5, 0.75].entries()) {
    const { width = 0, height = 0 } = boxes[index] ?? {};
    expect(Math.abs(width - aspect * height)).toBeLessThan(2);
    expect(height).toBe(boxes[0]?.height);
  }
});

it('lets nothing overlap: pictures stay in their card, and the next row begins below', () => {
  const row = placeRow(
    [card(3), card(2)],
    [
      [1, 1, 1],
      [1, 1],
    ],
    0,
  );

  for (const { box, boxes } of row) {
    let right = box.left;
    for (const { left, top, width, height } of boxes) {
      expect(left).toBeGreaterThan(right);
      right = left + width;
      expect(top + height).toBeLessThan(box.top + box.height);
    }
    expect(right).toBeLessThan(box.left + box.width);
    expect(below(row)).toBeGreaterThan(box.top + box.height);
  }
});

it('does not make a picture enormous that is alone in its row', () => {
  const [alone] = placeRow([card(1)], [[0.75]], 0);
  expect(alone?.boxes[0]?.height).toBeLessThan(500);
});

it('makes room for a second line where a note is too long for its card', () => {
  const note = 'name "Ana", description "Chef, ruiva, de óculos"';
  const topOf = (text: string) => placeRow([card(2), card(1, text)], [[1.75, 1.75], [0.75]], 0)[0]?.boxes[0]?.top ?? 0;

  expect(topOf(note)).toBeGreaterThan(topOf('Ana'));
});
