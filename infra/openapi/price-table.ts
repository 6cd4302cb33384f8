/** The table of generation operations in README, with their default prices. */
import { generateContracts } from '../../shared/contracts/generate.ts';
import type { GenerationContract } from '../../shared/contracts/generation-contract.ts';

const contracts: readonly GenerationContract[] = Object.values(generateContracts);

const rows = contracts.map(({ taskType, summary, price }) => `| \`${taskType}\` | ${summary} | ${price} |`);

const table = ['| `POST /api/v1/generate/` | Operation | Default price |', '| --- | --- | --- |', ...rows].join('\n');

/** README with its table replaced. @throws {Error} if README has no table */
export function withPriceTable(readme: string): string {
  const present = /^\| `POST \/api\/v1\/generate\/` \|.*(\n\|.*)*/m;
  if (!present.test(readme)) throw new Error('README.md has no table of POST /api/v1/generate/');
  return readme.replace(present, () => table);
}
