/** The role with which API Gateway writes logs: an account has one for all of its stages. */
import { expect, test } from 'vitest';
import { synthesize } from '../synthesized.ts';

test('except on an emulator, deleting a stage keeps the role for access logs, because other stages use it', () => {
  const synthesized = synthesize();
  const policies = (['local', 'dev', 'prod'] as const).map((stage) => {
    const service = synthesized.service(stage);
    const { DeletionPolicy: account } = service.one('AWS::ApiGateway::Account');
    const roles = Object.entries(service.ofType('AWS::IAM::Role'));
    const role = roles.find(([id]) => id.startsWith('AccessLogCloudWatchRole'))?.[1].DeletionPolicy;
    return [stage, account, role];
  });
  expect(policies).toEqual([
    ['local', 'Delete', 'Delete'],
    ['dev', 'Retain', 'Retain'],
    ['prod', 'Retain', 'Retain'],
  ]);
}, 240_000);
