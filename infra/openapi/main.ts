/** `npm run openapi`: writes the OpenAPI document to build/openapi.json, the operations of both clients, what the MCP server's tools take, and README's prices. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };
import { publishedPrices } from '../../shared/catalog/published-prices.ts';
import { openapi } from '../../shared/contracts/openapi/openapi.ts';
import type { ClientDocument } from './client-document.ts';
import { clientOperations } from './client-operations.ts';
import { mcpContract } from './mcp-contract.ts';
import { withPriceTable } from './price-table.ts';
import { pythonOperations } from './python-operations.ts';

const document = openapi({
  serverUrl: process.env.API_URL ?? 'http://127.0.0.1:3000',
  version: packageJson.version,
  prices: publishedPrices,
});

const clientDocument = document as unknown as ClientDocument;
const project = new URL('../../', import.meta.url);

/** Writes a file of the project if it changes, since programs that run meanwhile may read it. */
function update(path: string, textAfter: (before: string) => string): void {
  const file = new URL(path, project);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const after = textAfter(before);
  if (after !== before) writeFileSync(file, after);
}

mkdirSync(new URL('build/', project), { recursive: true });
update('build/openapi.json', () => `${JSON.stringify(document, null, 2)}\n`);
update('client/operations.ts', () => clientOperations(clientDocument));
update('client-python/generation_service/operations.py', () => pythonOperations(clientDocument));
update('client-mcp/contract.json', () => mcpContract(clientDocument));
update('README.md', withPriceTable);
process.stdout.write(
  'build/openapi.json, the operations of both clients, the contract of the MCP server and the prices in README.md are up to date.\n',
);
