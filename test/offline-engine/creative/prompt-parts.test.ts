import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { promptParts } from '../../../offline-engine/creative/prompt-parts.ts';

const word = fc.stringMatching(/^[a-zçã,.]{1,12}$/);

test('a prompt is shown completely and in order, within the maximum number of parts', () => {
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 60 }),
      fc.integer({ min: 12, max: 80 }),
      fc.integer({ min: 1, max: 6 }),
      (words, letters, most) => {
        const parts = promptParts(words.join('  '), letters, most);
        expect(parts.join(' ')).toBe(words.join(' '));
        expect(parts.length).toBeLessThanOrEqual(most);
        for (const part of parts.slice(0, most - 1)) expect(part.length).toBeLessThanOrEqual(letters);
      },
    ),
  );
});

test('a prompt that fits is shown in one part', () => {
  expect(promptParts('Um farol ao amanhecer', 21, 4)).toEqual(['Um farol ao amanhecer']);
  expect(promptParts('Um farol ao amanhecer', 20, 4)).toEqual(['Um farol ao', 'amanhecer']);
});
