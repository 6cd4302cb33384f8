/** Certifying the key of a deployed stage that signs results. */
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { localServer } from '../../support/local-server.ts';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
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
};

const missing = { __type: 'ResourceNotFoundException', message: 'there is no such secret' };

const operations: Readonly<Record<string, (given: Readonly<Record<string, string>>) => object>> = {
  GetPublicKey: ({ KeyId }) => ({
    KeyId,
    PublicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }),
  DescribeSecret: ({ SecretId = '' }) => (secrets.has(SecretId) ? { Name: SecretId } : missing),
  PutSecretValue({ SecretId = '', SecretString = '' }) {
    if (!secrets.has(SecretId)) return missing;
    secrets.set(SecretId, SecretString);
    return { Name: SecretId };
  },
  CreateSecret({ Name = '', SecretString = '' }) {
    secrets.set(Name, SecretString);
    return { Name };
  },
};

const aws = await localServer(async (request, response) => {
  const body = await text(request);
  const [, operation] = String(request.headers['x-amz-target']).split('.');
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
  const account = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' };
  for (const [name, value] of Object.entries({ AWS_ENDPOINT_URL: aws.url, ...account })) vi.stubEnv(name, value);
  return () => vi.unstubAllEnvs();
});

const run = (...args: readonly string[]) =>
  runCommandLine(['content', ...args], { environment: process.env, input: async () => '' });

it('content certify stores a certificate of the key in KMS, and prints its authority', async () => {
  const ending = await run('certify', '--name', 'Loja da Ana', '--stage', 'dev', '--json');
  expect(ending).toMatchObject({ exitCode: 0, stderr: '' });
  const certificate = new X509Certificate(secrets.get(outputs.ContentCertificatesSecret) ?? '');
  const { authority } = JSON.parse(ending.stdout) as { authority: string };
  expect(certificate.publicKey.equals(publicKey)).toBe(true);
  expect(certificate.subject).toContain('CN=Loja da Ana');
  expect(certificate.verify(new X509Certificate(authority).publicKey)).toBe(true);
});

it('content certify replaces stored certificates, which another authority may have issued, only on request', async () => {
  secrets.set(outputs.ContentCertificatesSecret, 'issued by another authority');
  const ending = await run('certify', '--stage', 'dev');
  expect([ending.exitCode, ending.stderr]).toEqual([1, expect.stringContaining('add --replace')]);
  expect(secrets.get(outputs.ContentCertificatesSecret)).toBe('issued by another authority');
  expect(await run('certify', '--replace', '--stage', 'dev')).toMatchObject({ exitCode: 0 });
  expect(secrets.get(outputs.ContentCertificatesSecret)).toContain('BEGIN CERTIFICATE');
});
