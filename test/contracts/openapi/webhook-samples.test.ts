/** Runs the Python sample that verifies webhooks, with signatures created by Node. */
import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { webhookSamples } from '../../../shared/contracts/openapi/webhook-samples.ts';

const execute = promisify(execFile);

/**
 * Implements the part of the package `cryptography` that the sample uses by means of Node: Python alone has no Ed25519.
 */
const ed25519 = `
import base64, os, subprocess
from cryptography.exceptions import InvalidSignature

program = """
const [x, signature, signed] = process.argv.slice(1);
const key = crypto.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
process.exit(crypto.verify(null, Buffer.from(signed, 'base64'), key, Buffer.from(signature, 'base64')) ? 0 : 1);
"""

class Ed25519PublicKey:
    @classmethod
    def from_public_bytes(cls, data):
        key = cls()
        key.x = base64.urlsafe_b64encode(data).decode().rstrip("=")
        return key

    def verify(self, signature, data):
        parts = [base64.b64encode(part).decode() for part in (signature, data)]
        if subprocess.run([os.environ["NODE"], "-e", program, "--", self.x, *parts]).returncode != 0:
            raise InvalidSignature
`;

const main = `
import json, sys
from sample import is_genuine

keys, token, requests = json.load(sys.stdin)
print(json.dumps([is_genuine(body.encode(), headers, keys, token) for body, headers in requests]))
`;

const token = 'whk_0123456789';
const body = '{"event":"task.completed"}';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const keys = { keys: [publicKey.export({ format: 'jwk' })] };

const directory = mkdtempSync(join(tmpdir(), 'webhook-samples-'));
const folder = join(directory, 'cryptography', 'hazmat', 'primitives', 'asymmetric');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'ed25519.py'), ed25519);
writeFileSync(join(directory, 'cryptography', '__init__.py'), '');
writeFileSync(join(directory, 'cryptography', 'exceptions.py'), 'class InvalidSignature(Exception):\n    pass\n');
const sample = webhookSamples.find(({ label }) => label === 'Python')?.source;
writeFileSync(join(directory, 'sample.py'), String(sample));
writeFileSync(join(directory, 'main.py'), main);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Headers = Readonly<Record<string, string>>;

/** The verdict of the sample on each request. */
async function verdicts(requests: readonly (readonly [body: string, headers: Headers])[]): Promise<readonly boolean[]> {
  const running = execute('python3', [join(directory, 'main.py')], { env: { ...process.env, NODE: process.execPath } });
  running.child.stdin?.end(JSON.stringify([keys, token, requests]));
  return JSON.parse((await running).stdout) as readonly boolean[];
}

function headersAt(seconds: number): Headers {
  const timestamp = String(Math.floor(seconds));
  const signature = sign(null, Buffer.from(`msg_1.${timestamp}.${body}`), privateKey).toString('base64');
  return {
    'x-webhook-token': token,
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,other v1a,${signature}`,
  };
}

test('the Python code sample for webhooks accepts a genuine webhook and rejects a forged one', async () => {
  const seconds = Date.now() / 1000;
  const genuine = headersAt(seconds);
  const forged: readonly (readonly [string, Headers])[] = [
    ['{"event":"task.failed"}', genuine],
    [body, { ...genuine, 'x-webhook-token': 'whk_other' }],
    [body, headersAt(seconds - 400)],
    [body, { ...genuine, 'webhook-timestamp': 'soon' }],
    [body, { ...genuine, 'webhook-timestamp': '9'.repeat(5000) }],
    [body, { ...genuine, 'webhook-signature': 'v1a,abc' }],
  ];
  expect(await verdicts([[body, genuine], ...forged])).toEqual([true, ...forged.map(() => false)]);
});

test('the Python code sample for webhooks rejects a webhook that lacks any of its headers', async () => {
  const genuine = headersAt(Date.now() / 1000);
  const incomplete = Object.keys(genuine).map(
    (missing) => [body, Object.fromEntries(Object.entries(genuine).filter(([name]) => name !== missing))] as const,
  );
  expect(await verdicts([...incomplete, [body, {}]])).toEqual([false, false, false, false, false]);
});
