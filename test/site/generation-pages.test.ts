/** The pages with an example of each generation: its request is valid, and its input and result are on the page. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generateContracts } from '../../shared/contracts/generate.ts';
import type { GenerationContract } from '../../shared/contracts/generation-contract.ts';
import { examples } from '../../site/generate/examples.ts';
import { builtSite } from './built-site.ts';

const site = await builtSite();

const contracts: readonly GenerationContract[] = Object.values(generateContracts);

describe.each(contracts)('the example of $operationId', ({ body, operationId, taskType }) => {
  const example = examples[operationId as keyof typeof examples];

  test('is a request that the operation accepts', () => {
    expect(body.safeParse(example.body).error?.issues).toBeUndefined();
  });

  test('shows its input and its result side by side', () => {
    const html = site.get(`generate/${taskType}.html`) ?? '';
    const [row = ''] = /<tbody>[\s\S]*?<\/tbody>/.exec(html) ?? [];
    const shown = [
      ...row.matchAll(/(?:alt|aria-label)="([^"]+)" src="data:(?:image\/webp|audio\/mpeg);base64,[\w+/]{40}/g),
    ];
    expect(shown.map(([, text]) => text)).toEqual([...example.inputs, example.result].map(([, text]) => text));
    expect(html).toContain(`href="../reference/${operationId}"`);
  });
});

test('every media file of the documentation belongs to an example', () => {
  const used = Object.values(examples).flatMap(({ inputs, result }) => [...inputs, result].map(([file]) => file));
  expect(readdirSync('site/media').toSorted()).toEqual([...new Set(used)].toSorted());
});
