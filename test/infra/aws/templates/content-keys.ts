/** The rotation of the key that signs results, deployment by deployment, as described in docs/operator-tasks.md. */
import { expect, test } from 'vitest';
import { deploymentsOf, expectExportsKept, labelsAllowed } from '../key-rotation.ts';
import { functionsOf } from '../policies.ts';

/** The settings of consecutive deployments; the first one has only the default label. */
const deployments = deploymentsOf(
  [['first'], ['first', 'second'], ['second', 'first'], ['second']].map((keys) => ({ contentCredentials: { keys } })),
);

/** The key `first` has no label in its id. */
const keys = /ContentKey(?:Key(second))?[0-9A-F]{8}/g;

test('each deployment keeps every export of signing keys that a stack of the previous deployment still imports', () => {
  expectExportsKept(deployments);
});

test('finalize signs with the first key in the list, and may use the others, because its previous version may still run', () => {
  const signing = deployments.map(({ service }) => {
    const { CONTENT_SIGNING_KEY: key, CONTENT_CERTIFICATES: secret } = functionsOf(service).finalize.environment;
    return [JSON.stringify(key).includes('Keysecond'), JSON.stringify(secret).includes('content-certificates/second')];
  });
  expect(signing).toEqual([
    [false, false],
    [false, false],
    [true, true],
    [true, true],
  ]);
  const allowed = deployments.map((each) => labelsAllowed(each, 'finalize', 'kms:Sign', keys));
  expect(allowed).toEqual([[''], ['', 'second'], ['', 'second'], ['second']]);
});

test('changing the list of signing keys does not replace a key that already exists', () => {
  const idsOf = deployments.map(({ data }) =>
    Object.keys(data.ofType('AWS::KMS::Key')).filter((id) => id.startsWith('ContentKey')),
  );
  const [[first] = [], both = [], swapped = [], last = []] = idsOf;
  expect(both).toContain(first);
  expect(swapped.toSorted()).toEqual(both.toSorted());
  expect(last).toEqual(both.filter((id) => id !== first));
});
