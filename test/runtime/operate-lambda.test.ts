/** The least role that an operation of the operators' pages requires. */
import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { OperateContract } from '../../shared/contracts/operation.ts';
import { type OperatorRole, operatorRoles } from '../../shared/contracts/operator-roles.ts';
import { stores } from '../../shared/domain/stores.ts';
import { createFullContext, type FullContext } from '../../shared/runtime/full-context.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import { giveOperator } from '../support/given-operator.ts';
import { tableInTests, testTime } from '../support/test-table.ts';

const host = await tableInTests();

let context: FullContext;
let tuned: number;
beforeEach(() => {
  tuned = 0;
  const clock = { now: () => testTime };
  const environment = { TABLE_NAME: 'unused', DASHBOARD_URL: 'https://app.example.com' };
  context = { ...createFullContext(environment, { clock }), ...stores(host.table, clock), table: host.table };
});

/** Tunes a piano, which requires at least a role. */
async function tune(least: OperatorRole, role: OperatorRole) {
  const contract = {
    operationId: 'tunePiano',
    method: 'GET',
    path: '/operate/api/piano',
    idempotent: false,
    operator: least,
    summary: 'Tune a piano',
    description: 'A piano.',
    success: { status: 200, data: z.object({ tuned: z.int() }) },
    errors: [],
    example: { data: { tuned: 1 } },
  } as const satisfies OperateContract;
  const operation = operateLambda(contract, async () => {
    tuned += 1;
    return { tuned };
  });
  const { cookie } = await giveOperator(context, role);
  const event = {
    httpMethod: 'GET',
    multiValueHeaders: { Cookie: [cookie] },
    requestContext: { requestId: 'request' },
  };
  const { body, statusCode } = await operation(context)(event as unknown as APIGatewayProxyEvent, {} as LambdaContext);
  return [statusCode, JSON.parse(body).error, tuned];
}

const rolesUpTo = (last: OperatorRole) => operatorRoles.slice(0, operatorRoles.indexOf(last) + 1);

test.each(operatorRoles)('an operator with the role %s may do what this role and lower roles may do', async (role) => {
  for (const least of rolesUpTo(role)) expect(await tune(least, role)).toEqual([200, undefined, expect.any(Number)]);
  expect(tuned).toBe(rolesUpTo(role).length);
});

test.each([
  ['support', 'viewer'],
  ['admin', 'viewer'],
  ['admin', 'support'],
] as const)(
  'an operation that requires the role %s is refused to the role %s and not performed',
  async (least, role) => {
    const message = `Only operators with the role ${least} may do this.`;
    expect(await tune(least, role)).toEqual([403, expect.objectContaining({ code: 'FORBIDDEN', message }), 0]);
  },
);
