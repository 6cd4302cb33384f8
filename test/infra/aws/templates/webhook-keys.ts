/** The rotation of the webhook signing key, deployment by deployment, as described in docs/operator-tasks.md. */
import { expect, test } from 'vitest';
import { deploymentsOf, expectExportsKept, labelsAllowed } from '../key-rotation.ts';
import { functionsOf } from '../policies.ts';

/** The settings of consecutive deployments; the first one has only the default label. */
const deployments = deploymentsOf([
  {},
  { webhookSigningKeys: ['second', 'first'] },
  { webhookSigningKeys: ['second'], retiredWebhookSigningKeys: ['first'] },
  { webhookSigningKeys: ['second'] },
]);

test('each deployment keeps every export of webhook keys that a stack of the previous deployment still imports', () => {
  expectExportsKept(deployments);
});

test.each([
  ['deliverWebhook', 'kms:Sign'],
  ['listWebhookKeys', 'kms:GetPublicKey'],
] as const)(
  '%s may use %s with a retired webhook key, because the function’s previous version may still run',
  (name, action) => {
    const allowed = deployments.map((each) => labelsAllowed(each, name, action, /signing(first|second)/g));
    expect(allowed).toEqual([['first'], ['first', 'second'], ['first', 'second'], ['second']]);
  },
);

test('a retired webhook key is not in the environment of any function', () => {
  const [, , retired] = deployments;
  const functions = retired ? Object.values(functionsOf(retired.service)) : [];
  expect(functions.length).toBeGreaterThan(0);
  for (const { environment } of functions) expect(JSON.stringify(environment)).not.toContain('signingfirst');
});
