/** The content of an upload, read in parts. */
import { expect, test } from 'vitest';
import { oneByOne } from '../../client/one-by-one.ts';
import { sourceOf } from '../../client/upload-source.ts';

async function* streamOf(...chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield new TextEncoder().encode(chunk);
}

const parts = async (source: Awaited<ReturnType<typeof sourceOf>>): Promise<string[]> => [
  await (await source.take(3)).text(),
  await (await source.take(3)).text(),
  await (await source.take(1)).text(),
];

test.each([
  ['a Blob', () => sourceOf(new Blob(['abcdefg']), undefined)],
  ['a stream of known size', () => sourceOf(streamOf('ab', '', 'cdef', 'g'), 7)],
  ['a stream of unknown size', () => sourceOf(streamOf('abcde', 'fg'), undefined)],
])('the parts of an upload from %s are read in order', async (_, open) => {
  const source = await open();
  expect(source.bytes).toBe(7);
  expect(await parts(source)).toEqual(['abc', 'def', 'g']);
});

test.each([
  ['less', 'abcdef'],
  ['more', 'abcdefgh'],
])('an upload from a stream with %s bytes than its stated size is rejected', async (word, content) => {
  await expect(parts(await sourceOf(streamOf(content), 7))).rejects.toThrow(`The stream has ${word} than 7 bytes.`);
});

test('aborting a queued upload call does not let later calls overtake earlier ones', async () => {
  const sequentially = oneByOne();
  const order: string[] = [];
  let end = (): void => {};
  const first = sequentially(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
    undefined,
  ).then(() => order.push('first'));
  const stop = new AbortController();
  const second = sequentially(async () => order.push('second'), stop.signal);
  const third = sequentially(async () => order.push('third'), undefined);
  stop.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  end();
  await Promise.all([first, third]);
  expect(order).toEqual(['first', 'third']);
});
