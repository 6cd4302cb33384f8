/** Tables of prices, from the contract and the default catalog. */
import { defaultPlans } from '../../shared/catalog/plans.ts';
import { defaultModes } from '../../shared/catalog/studio-modes.ts';
import { generateContracts } from '../../shared/contracts/generate.ts';
import type { GenerationContract } from '../../shared/contracts/generation-contract.ts';
import { markdownTable, quoted } from '../reference/markdown-text.ts';

const contracts: readonly GenerationContract[] = Object.values(generateContracts);

export const priceTable = (): string =>
  markdownTable(
    ['Operation', 'Task type', 'Default price'],
    contracts.map(({ operationId, summary, taskType, price }) => [
      `[${summary}](/reference/${operationId})`,
      quoted(taskType),
      price,
    ]),
  );

export function studioPriceTable(): string {
  const resolutions = Object.keys(defaultModes[0]?.costsByResolution ?? {});
  return markdownTable(
    ['Mode', ...resolutions],
    defaultModes.map(({ slug, costsByResolution }) => [
      quoted(slug),
      ...resolutions.map((resolution) => String((costsByResolution as Readonly<Record<string, number>>)[resolution])),
    ]),
  );
}

const reais = (cents: number): string => `R$ ${(cents / 100).toFixed(2)}`;

export const packTable = (): string =>
  markdownTable(
    ['Pack', 'Credits', 'Price'],
    defaultPlans.creditPacks.map(({ id, credits, priceCents }) => [
      quoted(id),
      credits.toLocaleString('en'),
      reais(priceCents),
    ]),
  );

export const planTable = (): string =>
  markdownTable(
    ['Plan', 'Credits a month', 'Monthly', 'Annual', 'Features'],
    defaultPlans.plans.map(({ id, credits, features, priceMonthlyCents, priceAnnualCents }) => [
      quoted(id),
      credits.toLocaleString('en'),
      reais(priceMonthlyCents),
      reais(priceAnnualCents),
      features.map(quoted).join(', '),
    ]),
  );
