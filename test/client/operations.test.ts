/** The generated operations of the client. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientOperations } from '../../infra/openapi/client-operations.ts';
import { published } from '../support/openapi-document.ts';

test('the client’s generated operations match the OpenAPI document (otherwise run `npm run openapi`)', () => {
  expect(readFileSync('client/operations.ts', 'utf8')).toBe(clientOperations(published()));
});
