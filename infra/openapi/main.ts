/** `npm run openapi`: writes the OpenAPI document to build/openapi.json, the operations of both clients, what the MCP server's tools take, and README's prices. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const project = new URL('../../', import.meta.url);
mkdirSync(new URL('build/', project), { recursive: true });
writeFileSync(new URL('build/openapi.json', project), `${JSON.stringify(document, null, 2)}\n`);
const clientDocument = document as unknown as ClientDocument;
writeFileSync(new URL('client/operations.ts', project), clientOperations(clientDocument));
const python = new URL('client-python/generation_service/operations.py', project);
writeFileSync(python, pythonOperations(clientDocument));
writeFileSync(new URL('client-mcp/contract.json', project), mcpContract(clientDocument));
const readme = new URL('README.md', project);
writeFileSync(readme, withPriceTable(readFileSync(readme, 'utf8')));
process.stdout.write(
  'build/openapi.json, the operations of both clients, the contract of the MCP server and the prices in README.md are up to date.\n',
);
