import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { printable } from '../../../offline-engine/image/fonts.ts';
import { unwrapWoff } from '../../../offline-engine/image/woff.ts';

const woff = () =>
  readFile(createRequire(import.meta.url).resolve('@fontsource/inter/files/inter-latin-400-normal.woff'));

/** The checksum of a TrueType table: the sum of its big-endian words. */
const checksum = (table: Buffer) => {
  const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
  let sum = 0;
  for (let place = 0; place < padded.length; place += 4) sum = (sum + padded.readUInt32BE(place)) % 2 ** 32;
  return sum;
};

describe('the fonts of the offline engine', () => {
  it('are converted to TrueType with valid checksums of all tables', async () => {
    const font = unwrapWoff(await woff());
    expect(font.readUInt32BE(0)).toBe(0x00010000);
    const count = font.readUInt16BE(4);
    expect(count).toBeGreaterThan(8);
    for (let table = 0; table < count; table += 1) {
      const entry = 12 + 16 * table;
      const name = font.toString('latin1', entry, entry + 4);
      const [expected, start, bytes] = [4, 8, 12].map((place) => font.readUInt32BE(entry + place));
      const content = Buffer.from(font.subarray(start, (start ?? 0) + (bytes ?? 0)));
      // The checksum in the header covers the whole font except itself.
      if (name === 'head') content.writeUInt32BE(0, 8);
      expect([name, checksum(content)]).toEqual([name, expected]);
    }
  });

  it('are rejected if they are not WOFF files', () => {
    expect(() => unwrapWoff(Buffer.from('<html></html>'))).toThrow('not a WOFF');
  });

  it.each([
    ['漢字 🎉👩‍💻', '[Han] [emoji]'],
    ['A red 🐉 dragon 龙, مرحبا', 'A red [emoji] dragon [Han] , [Arabic]'],
    ['日本語です', '[Han] [Hiragana]'],
    ['ქართული', '[other script]'],
    ['1️⃣ 🇧🇷 ♞', '1 [emoji] [emoji] [symbol]'],
    ['zero\u200bwidth', 'zero width'],
  ])('replace characters that they do not contain with their names: %s', (text, shown) =>
    expect(printable(text)).toBe(shown),
  );

  it('keep the characters of a text that they contain, on one line', () => {
    expect(printable(' Olá,\n\tcoração — “q”…\u0000 € Łódź Привет Ελλά ')).toBe(
      'Olá, coração — “q”… € Łódź Привет Ελλά',
    );
    expect(printable('ac\u0327a\u0303o \ud800')).toBe('ação');
  });
});
