/** Text that the pages quote from code files is really in these files. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pages, proseOf } from './pages.ts';

/** Cells of tables: a file in backticks, a colon, and words in quotation marks or code. */
const quotesIn = (text: string) =>
  [...proseOf(text).matchAll(/\| `([\w./-]+\/[\w.-]+\.tsx?)`: (?:"([^"\n]+)"|`([^`\n]*[ (][^`\n]*)`)/g)].map(
    ([, file = '', words, code]) => ({ file, quote: words ?? code ?? '' }),
  );

/** The text on one line, without comment markers. */
const flat = (source: string): string => source.replaceAll(/^\s*(?:\/\/|\/?\*+\/?)/gm, '').replaceAll(/\s+/g, ' ');

/** An ellipsis stands for any text. */
const isIn = (source: string, quote: string): boolean =>
  quote.split('…').every((part) => flat(source).includes(part.trim()));

test.each(pages.filter(({ text }) => quotesIn(text).length > 0))(
  'every quotation from a source file in $path occurs in that file',
  ({ text }) => {
    const wrong = quotesIn(text).filter(({ file, quote }) => !isIn(readFileSync(file, 'utf8'), quote));
    expect(wrong).toEqual([]);
  },
);

test('the check of quotations finds those in CONTRIBUTING, and recognizes one that does not occur in its source file', () => {
  const { text = '' } = pages.find(({ path }) => path === 'CONTRIBUTING.md') ?? {};
  expect(quotesIn(text).length).toBeGreaterThan(4);
  expect(isIn('/**\n * The first\n * sentence. */', 'The first sentence.')).toBe(true);
  expect(isIn('/** The first sentence. */', 'The second …')).toBe(false);
});
