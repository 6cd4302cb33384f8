/**
 * A copy whose chunks are checked while they pass: the chunks stay unchanged, whatever the check does, until it finds a
 * problem.
 */
import { expect, test } from 'vitest';
import { invalid } from '../../../shared/domain/media/media-problem.ts';
import { UnusableCopy, watchedCopy } from '../../../shared/domain/media/watched-copy.ts';

const chunks = Array.from({ length: 50 }, (_, index) => Uint8Array.of(index, index));

async function* stream(failure?: Error) {
  yield* chunks;
  if (failure) throw failure;
}

type Watch = Parameters<typeof watchedCopy>[1];

const all = async (body: AsyncIterable<Uint8Array>) => (await Array.fromAsync(body)).length;

const watchers: readonly [string, Watch][] = [
  ['reads everything', (seen) => all(seen).then(() => undefined)],
  ['reads nothing', async () => undefined],
  [
    'stops reading after three chunks',
    async (seen) => {
      let count = 0;
      for await (const _ of seen) if (++count === 3) break;
      return undefined;
    },
  ],
  [
    'keeps the stream open but reads only three chunks',
    async (seen) => {
      const reader = seen[Symbol.asyncIterator]();
      for (let count = 0; count < 3; count += 1) await reader.next();
      return undefined;
    },
  ],
];

test.for(watchers)(
  'the copy of a stream that is checked while it is copied is complete if the check %s',
  async ([, watch]) => {
    expect(await Array.fromAsync(watchedCopy(stream(), watch))).toEqual(chunks);
  },
);

test.for<[string, number, Watch]>([
  ['before the first chunk', 0, async () => invalid('is not usable')],
  ['after the last chunk', 50, async (seen) => invalid(`has ${await all(seen)} chunks`)],
])('copying a stream throws the problem that the check finds %s', async ([, copied, watch]) => {
  let count = 0;
  const copy = async () => {
    for await (const _ of watchedCopy(stream(), watch)) count += 1;
  };
  await expect(copy()).rejects.toBeInstanceOf(UnusableCopy);
  expect(count).toBe(copied);
});

test('copying a stream rethrows a failure of the stream and ends the check of it', async () => {
  const ended = Promise.withResolvers<number>();
  const watch: Watch = async (seen) => {
    await all(seen).then(ended.resolve, () => ended.resolve(-1));
    return undefined;
  };
  await expect(all(watchedCopy(stream(new Error('broken off')), watch))).rejects.toThrow('broken off');
  expect(await ended.promise).toBe(-1);
});

test('abandoning the copy of a stream ends the check of it', async () => {
  const ended = Promise.withResolvers<void>();
  const watch: Watch = async (seen) => {
    await all(seen).catch(() => ended.resolve());
    return undefined;
  };
  for await (const _ of watchedCopy(stream(), watch)) break;
  await ended.promise;
});

test('copying a stream rethrows an error that the check of it throws', async () => {
  const copy = watchedCopy(stream(), () => Promise.reject(new Error('no memory')));
  await expect(all(copy)).rejects.toThrow('no memory');
});
