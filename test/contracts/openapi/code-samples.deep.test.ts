/** Runs the code samples: each must send the example of its operation. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { samplesOf } from '../../../dashboard/pages/playground/samples.ts';
import { listen } from '../../../fakes/listen.ts';
import { type CodeSample, codeSamples } from '../../../shared/contracts/openapi/code-samples.ts';
import type { OperationContract } from '../../../shared/contracts/operation.ts';
import { registry } from '../../../shared/contracts/registry.ts';
import { installPythonClient } from '../../client-python/installed-python-client.ts';

const execute = promisify(execFile);

interface Received {
  readonly request: string;
  readonly authorization: string | undefined;
  readonly key: string | string[] | undefined;
  readonly body: unknown;
}

let received: Received[];

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    const { authorization, 'idempotency-key': key } = request.headers;
    received.push({
      request: `${request.method} ${request.url}`,
      authorization,
      key,
      body: text && JSON.parse(text),
    });
    response.setHeader('Content-Type', 'application/json; charset=utf-8').end('{"success":true,"data":{}}');
  });
});
const url = `http://127.0.0.1:${await listen(server, 0)}`;
const directory = mkdtempSync(join(tmpdir(), 'samples-'));
// The client's package name resolves to its source in the project.
const installed = join(directory, 'node_modules', 'generation-service-client');
mkdirSync(installed, { recursive: true });
symlinkSync(join(process.cwd(), 'client', 'client.ts'), join(installed, 'client.ts'));
writeFileSync(join(installed, 'package.json'), JSON.stringify({ type: 'module', exports: './client.ts' }));
const python = await installPythonClient();
afterAll(() => {
  server.close();
  python.remove();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  received = [];
});

const variables = { API_TOKEN: 'av_secret' };

/** Runs a file with a sample. */
const programs: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  Shell: (file) => execute('bash', [file], { env: { ...process.env, ...variables } }),
  JavaScript: (file) => execute(process.execPath, [file], { env: { ...process.env, ...variables } }),
  Python: (file) => python.run('python', [file], variables),
};

/** The requests that a server receives from samples that are run one after the other. */
async function sentBy(samples: readonly CodeSample[]): Promise<readonly Received[]> {
  expect(samples.map(({ lang }) => lang)).toEqual(Object.keys(programs));
  for (const { lang, source } of samples) {
    const file = join(directory, 'sample.mjs');
    writeFileSync(file, source);
    await programs[lang]?.(file);
  }
  return received;
}

const { listTasks, getTask, generateVoice, cancelTask, getHealth } = registry;
const contracts: readonly OperationContract[] = [listTasks, getTask, generateVoice, cancelTask, getHealth];

test.each(contracts.map((contract) => [contract.operationId, contract] as const))(
  'the code samples of %s send its example in curl, Node and Python',
  async (_id, contract) => {
    const { example, idempotent, method, path, scopes } = contract;
    const expected = {
      request: `${method} ${path.replace('{taskId}', example.params?.taskId ?? '')}`,
      authorization: scopes.length > 0 ? 'Bearer av_secret' : undefined,
      key: idempotent ? 'order-4711' : undefined,
      body: example.body ?? '',
    };
    expect(await sentBy(codeSamples(contract, url))).toEqual([expected, expected, expected]);
  },
);

test('the playground’s code sends its request in curl, TypeScript and Python, whatever the request contains', async () => {
  const { generateImage } = registry;
  const prompt = 'It’s "50 %": `$HOME`\n\'$(whoami)\' \\n ${1} true é 🌅';
  const body = { prompt, aspectRatio: '16:9', numImages: 2, seed: 0 };
  expect(generateImage.body.safeParse(body).success).toBe(true);
  const samples = samplesOf({ contract: generateImage, body }, url, 'of this page');
  expect(samples.map(({ label }) => label)).toEqual(['curl', 'TypeScript', 'Python']);
  const request = 'POST /api/v1/generate/image';
  const expected = { request, authorization: 'Bearer av_secret', key: 'of this page', body };
  expect(await sentBy(samples)).toEqual([expected, expected, expected]);
});
