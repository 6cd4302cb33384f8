/** The operations of the Python client that are generated from the OpenAPI document. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { pythonOperations } from '../../infra/openapi/python-operations.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { published } from '../support/openapi-document.ts';

const execute = promisify(execFile);
const file = 'client-python/generation_service/operations.py';

test('the Python client’s generated operations match the OpenAPI document (otherwise run `npm run openapi`)', () => {
  expect(readFileSync(file, 'utf8')).toBe(pythonOperations(published()));
});

test('the Python client’s generated operations are valid Python', async () => {
  const program = 'import ast, sys; ast.parse(open(sys.argv[1]).read())';
  await execute('python3', ['-c', program, file]);
});

test('the Python package has the version of the service', () => {
  expect(readFileSync('client-python/pyproject.toml', 'utf8')).toContain(`\nversion = "${packageJson.version}"\n`);
});
