import { afterAll, expect, it } from 'vitest';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { taskTypes } from '../../../shared/contracts/task-types.ts';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();
afterAll(() => service.close());

interface Price {
  readonly type: string;
  readonly name: string;
  readonly value: number;
}

const pricesOf = async (...args: string[]) => {
  service.advance(30_000);
  return (await service.done<{ prices: Price[] }>('price', 'show', ...args)).prices;
};

it('the price command shows prices by task type, except those of Studio videos, which depend on their modes', async () => {
  const types = new Set((await pricesOf()).map(({ type }) => type));
  expect([...types]).toEqual(taskTypes.filter((type) => type !== 'video-studio'));
  expect((await service.admin(['price', 'show', '--type', 'video-studio'])).stdout).toContain('catalog show studio');
});

it('`price set` changes one price of a task type and leaves the others', async () => {
  const before = await pricesOf();
  const set = ['price', 'set', '--type', 'image-upscale', '--name', 'creditsAtTwice', '--value', '7'];
  expect(await service.done(...set)).toMatchObject({ before: 2, value: 7 });
  const changed = (price: Price) => (price.name === 'creditsAtTwice' ? { ...price, value: 7 } : price);
  expect(await pricesOf()).toEqual(before.map(changed));
});

it.each([
  [
    'an unknown type',
    ['--type', 'poem', '--name', 'credits', '--value', '1'],
    '--type must be one of image, image-edit',
  ],
  [
    'a price of nothing',
    ['--type', 'voice', '--name', 'charactersPerCredit', '--value', '0'],
    '--value must be an integer',
  ],
])('`price set` rejects %s', async (_, args, sentence) => {
  expect((await runCommandLine(['price', 'set', ...args])).stderr).toContain(sentence);
});

it('`price set` rejects a price that the type does not have, and names those that it has', async () => {
  const set = ['price', 'set', '--type', 'voice', '--name', 'credits', '--value', '1'];
  expect((await service.admin(set)).stderr).toContain('--name must be one of charactersPerCredit.');
});
