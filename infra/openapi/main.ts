/** `npm run openapi`: writes the API's OpenAPI document to build/openapi.json. */
import { mkdirSync, writeFileSync } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };
import { defaultPrices } from '../../shared/catalog/prices.ts';
import { openapi } from '../../shared/contracts/openapi/openapi.ts';

const document = openapi({
  serverUrl: process.env.API_URL ?? 'http://127.0.0.1:3000',
  version: packageJson.version,
  prices: defaultPrices,
});

const directory = new URL('../../build/', import.meta.url);
mkdirSync(directory, { recursive: true });
writeFileSync(new URL('openapi.json', directory), `${JSON.stringify(document, null, 2)}\n`);
