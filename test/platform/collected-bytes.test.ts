/** Collecting the chunks of a stream. */
import { expect, test } from 'vitest';
import { CollectedBytes } from '../../shared/platform/collected-bytes.ts';

test('collected chunks are complete and in order, whatever their number', () => {
  for (const count of [0, 1, 1023, 1024, 1025, 5000]) {
    const collected = new CollectedBytes();
    for (let number = 0; number < count; number += 1) collected.add(Buffer.from(`${number},`));
    const expected = Array.from({ length: count }, (_, number) => `${number},`).join('');
    expect(collected.bytes().toString()).toBe(expected);
  }
});
