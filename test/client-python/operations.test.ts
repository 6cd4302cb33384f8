/** What of the Python client is made from other files. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pythonOperations } from '../../infra/openapi/python-operations.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { published } from '../support/openapi-document.ts';

test('the Python client’s generated operations match the OpenAPI document (otherwise run `npm run openapi`)', () => {
  const file = 'client-python/generation_service/operations.py';
  expect(readFileSync(file, 'utf8')).toBe(pythonOperations(published()));
});

test('the Python package has the version of the service', () => {
  expect(readFileSync('client-python/pyproject.toml', 'utf8')).toContain(`\nversion = "${packageJson.version}"\n`);
});
