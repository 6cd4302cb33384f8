/** Certifying the key of a deployed stage that signs results. */
import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { certifyContentKey } from '../../../infra/content-authority.ts';
import { localServer } from '../../support/local-server.ts';
import { callerIdentity, callerRole } from './caller-identity.ts';
import { withReason } from './with-reason.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const secrets = new Map<string, string>();

const stack = (outputs: Readonly<Record<string, string>>) => `<DescribeStacksResponse><DescribeStacksResult><Stacks>
  <member><Outputs>${Object.entries(outputs)
    .map(([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`)
    .join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

const outputs = {
  TableName: 'table',
  WebhookSigningKeys: 'arn:aws:kms:us-east-1:123456789012:key/webhooks',
  WebhookTokenKey: 'arn:aws:kms:us-east-1:123456789012:key/tokens',
  ContentSigningKey: 'arn:aws:kms:us-east-1:123456789012:key/content',
  ContentCertificatesSecret: 'generation-service/dev/content-certificates',
  ContentKeyLabels: 'first,2027',
  ContentCertificatesSecrets:
    'generation-service/dev/content-certificates,generation-service/dev/content-certificates/2027',
};

const next = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** The key with this id in KMS: the one that signs, or the one that is being prepared. */
const pairOf = (KeyId = '') =>
  KeyId === 'alias/generation-service/dev/content-2027' ? next : { privateKey, publicKey };

/** What was written to the log. */
const recorded: string[] = [];

const missing = { __type: 'ResourceNotFoundException', message: 'there is no such secret' };

const operations: Readonly<Record<string, (given: Readonly<Record<string, string>>) => object>> = {
  GetPublicKey: ({ KeyId }) => ({
    KeyId,
    PublicKey: pairOf(KeyId).publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }),
  Sign: ({ KeyId, Message = '' }) => ({
    Signature: sign('sha256', Buffer.from(Message, 'base64'), pairOf(KeyId).privateKey).toString('base64'),
  }),
  GetSecretValue: ({ SecretId = '' }) => ({ Name: SecretId, SecretString: secrets.get(SecretId) }),
  DescribeSecret: ({ SecretId = '' }) => (secrets.has(SecretId) ? { Name: SecretId } : missing),
  PutSecretValue({ SecretId = '', SecretString = '' }) {
    if (!secrets.has(SecretId)) return missing;
    secrets.set(SecretId, SecretString);
    return { Name: SecretId };
  },
  TransactWriteItems(given) {
    recorded.push(JSON.stringify(given));
    return {};
  },
  CreateSecret({ Name = '', SecretString = '' }) {
    secrets.set(Name, SecretString);
    return { Name };
  },
};

const aws = await localServer(async (request, response) => {
  const body = await text(request);
  const [, operation] = String(request.headers['x-amz-target']).split('.');
  if (body.includes('Action=GetCallerIdentity')) {
    response.end(callerIdentity);
    return;
  }
  if (!operation) {
    response.end(stack(outputs));
    return;
  }
  const result = operations[operation]?.(JSON.parse(body) as Record<string, string>) ?? {};
  response.writeHead('__type' in result ? 400 : 200).end(JSON.stringify(result));
});
afterAll(() => aws.close());

beforeEach(() => {
  secrets.clear();
  recorded.length = 0;
  const account = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' };
  for (const [name, value] of Object.entries({ AWS_ENDPOINT_URL: aws.url, ...account })) vi.stubEnv(name, value);
  return () => vi.unstubAllEnvs();
});

/** Runs a command on the stage, with a reason if the command changes something. */
const runWith = async (input: string, ...args: readonly string[]) =>
  runCommandLine([...(await withReason(['content', ...args])), '--stage', 'dev'], {
    environment: process.env,
    input: async () => input,
  });
const run = (...args: readonly string[]) => runWith('', ...args);

it('`content certify` stores a certificate for the signing key in KMS, and prints the issuing authority', async () => {
  const ending = await run('certify', '--name', 'Loja da Ana', '--json');
  expect(ending).toMatchObject({ exitCode: 0, stderr: '' });
  const certificate = new X509Certificate(secrets.get(outputs.ContentCertificatesSecret) ?? '');
  const { authority } = JSON.parse(ending.stdout) as { authority: string };
  expect(certificate.publicKey.equals(publicKey)).toBe(true);
  expect(certificate.subject).toContain('CN=Loja da Ana');
  expect(certificate.verify(new X509Certificate(authority).publicKey)).toBe(true);
});

it('an operator’s act on a stage is recorded before and after it is performed, with its caller’s AWS identity', async () => {
  await run('certify');
  const [begun, ended, ...more] = recorded;
  expect(more).toEqual([]);
  expect(begun).toContain(`"operatorId":{"S":"${callerRole}"}`);
  expect(begun).toContain('"state":{"S":"begun"}');
  expect(ended).toContain('"state":{"S":"done"}');
  expect(`${begun}${ended}`).not.toContain('BEGIN CERTIFICATE');
});

it('`content certify` replaces stored certificates only on request, because another authority may have issued them', async () => {
  secrets.set(outputs.ContentCertificatesSecret, 'issued by another authority');
  const ending = await run('certify');
  expect([ending.exitCode, ending.stderr]).toEqual([1, expect.stringContaining('add --replace')]);
  expect(secrets.get(outputs.ContentCertificatesSecret)).toBe('issued by another authority');
  expect(await run('certify', '--replace')).toMatchObject({ exitCode: 0 });
  expect(secrets.get(outputs.ContentCertificatesSecret)).toContain('BEGIN CERTIFICATE');
});

it('`content request` prints a certificate request for the key in KMS, which OpenSSL accepts', async () => {
  const { stdout, exitCode } = await run('request', '--name', 'Loja da Ana');
  expect(exitCode).toBe(0);
  const openssl = promisify(execFile)('openssl', ['req', '-verify', '-noout', '-subject', '-pubkey']);
  openssl.child.stdin?.end(stdout);
  const read = await openssl;
  expect(read.stdout).toContain(publicKey.export({ format: 'pem', type: 'spki' }).toString());
  expect(`${read.stdout}${read.stderr}`).toMatch(/CN\s*=\s*Loja da Ana/);
  expect(`${read.stdout}${read.stderr}`).toContain('verify OK');
});

const day = 24 * 3_600_000;
const certified = (key = publicKey, { from = -1, until = 365 } = {}) =>
  certifyContentKey(key, 'Us', { from: new Date(Date.now() + from * day), until: new Date(Date.now() + until * day) });

it('`content install` stores certificates for the signing key, and replaces stored ones only on request', async () => {
  const [first, second] = [certified().certificate, certified().certificate];
  expect(await runWith(first, 'install')).toMatchObject({ exitCode: 0 });
  expect(await runWith(second, 'install')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--replace') });
  expect(secrets.get(outputs.ContentCertificatesSecret)).toBe(first);
  expect(await runWith(second, 'install', '--replace')).toMatchObject({ exitCode: 0 });
  expect(secrets.get(outputs.ContentCertificatesSecret)).toBe(second);
});

it.each([
  ['no certificate', () => 'nothing', 'must be certificates in PEM'],
  [
    'a certificate of another key',
    () => certified(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey).certificate,
    'is not that of the key in KMS',
  ],
  [
    'a certificate that has ended',
    () => certified(publicKey, { from: -9, until: -2 }).certificate,
    'is not valid today',
  ],
  [
    'issuers in the wrong order',
    () => certified().certificate + certified().authority,
    'is not signed by the one after it',
  ],
  ['a certificate of an authority', () => certified().authority, 'is that of an authority'],
])('`content install` rejects %s', async (_what, text, reason) => {
  expect(await runWith(text(), 'install')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(reason) });
  expect(secrets.size).toBe(0);
});

it('with --key, the content commands certify and check an additional key, and leave the signing key’s certificates alone', async () => {
  secrets.set(outputs.ContentCertificatesSecret, certified().certificate);
  const [before] = secrets.values();
  expect(await run('check', '--key', '2027')).toMatchObject({ exitCode: 1 });
  const { stdout } = await run('request', '--key', '2027');
  expect(stdout).toContain('BEGIN CERTIFICATE REQUEST');
  expect(await runWith(certified().certificate, 'install', '--key', '2027')).toMatchObject({ exitCode: 1 });
  expect(await runWith(certified(next.publicKey).certificate, 'install', '--key', '2027')).toMatchObject({
    exitCode: 0,
  });
  expect(await run('certify', '--key', '2027', '--replace')).toMatchObject({ exitCode: 0 });
  const stored = secrets.get('generation-service/dev/content-certificates/2027') ?? '';
  expect(new X509Certificate(stored).publicKey.equals(next.publicKey)).toBe(true);
  expect(secrets.get(outputs.ContentCertificatesSecret)).toBe(before);
  expect(await run('check', '--key', '2027')).toMatchObject({ exitCode: 0 });
  expect(await run('check', '--key', 'gone')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('has no key "gone"'),
  });
});

it('`content check` shows the signer and the expiry date, and fails 30 days before expiry or without certificates', async () => {
  expect(await run('check')).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('results are unmarked') });
  secrets.set(outputs.ContentCertificatesSecret, certified(publicKey, { until: 31.5 }).certificate);
  expect(await run('check')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('by Us, for another 31 days'),
  });
  secrets.set(outputs.ContentCertificatesSecret, certified(publicKey, { until: 30.5 }).certificate);
  expect(await run('check')).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('for another 30 days') });
});
