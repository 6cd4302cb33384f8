/** The published client, built, packed and used by a program without this project and its packages. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { listen } from '../../fakes/listen.ts';
import { clientOperations } from '../../infra/openapi/client-operations.ts';
import { published } from '../support/openapi-document.ts';

const execute = promisify(execFile);
const manifest = JSON.parse(readFileSync('client/package.json', 'utf8')) as {
  readonly exports: Readonly<Record<string, Readonly<Record<'types' | 'default', string>>>>;
  readonly files: readonly string[];
};

const directory = mkdtempSync(join(tmpdir(), 'client-'));
const installed = join(directory, 'node_modules', 'generation-service-client');
const tsc = join('node_modules', '.bin', 'tsc');
await execute(tsc, ['--project', 'client/tsconfig.json', '--outDir', join(installed, 'dist')]);
cpSync('client/package.json', join(installed, 'package.json'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('the client’s generated operations match the OpenAPI document (otherwise run `npm run openapi`)', () => {
  const expected = clientOperations(published());
  expect(readFileSync('client/operations.ts', 'utf8')).toBe(expected);
});

test('every file that the client exports is built with types and depends on no other package', () => {
  for (const { types, default: code } of Object.values(manifest.exports)) {
    expect(readFileSync(join(installed, types), 'utf8')).not.toMatch(/from '(?!\.|node:)/);
    expect(readFileSync(join(installed, code), 'utf8')).not.toMatch(/from '(?!\.|node:)/);
  }
  expect(manifest).not.toHaveProperty('dependencies');
});

test('a separate program can call the API and verify webhooks with the built client', async () => {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(JSON.stringify({ success: true, data: { status: `${request.method} ${request.url}` } }));
  });
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  const program = join(directory, 'program.mjs');
  writeFileSync(
    program,
    `import { client } from 'generation-service-client';
     import { verifyWebhook } from 'generation-service-client/webhooks';
     const { data } = await client({ baseUrl: '${url}' }).getHealth();
     const { reason } = verifyWebhook({ body: '{}', headers: {}, keys: [] });
     console.log(JSON.stringify([data.status, reason]));`,
  );
  const { stdout } = await execute(process.execPath, [program]);
  server.close();
  expect(JSON.parse(stdout)).toEqual(['GET /api/v1/health', 'header missing or malformed']);
});
