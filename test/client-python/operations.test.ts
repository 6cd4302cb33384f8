/** The Python client's operations are generated from the OpenAPI document. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pythonOperations } from '../../infra/openapi/python-operations.ts';
import { published } from '../support/openapi-document.ts';

test('the Python client’s generated operations match the OpenAPI document (otherwise run `npm run openapi`)', () => {
  const file = 'client-python/generation_service/operations.py';
  expect(readFileSync(file, 'utf8')).toBe(pythonOperations(published()));
});
