/** Each operation of operators: which roles, callers and origins it admits. */
import { describe, expect, test } from 'vitest';
import { type OperateOperationId, operateContracts } from '../../shared/contracts/operate.ts';
import type { OperateContract } from '../../shared/contracts/operation.ts';
import { operatorRoles } from '../../shared/contracts/operator-roles.ts';
import { callAsOperator, giveOperator } from '../support/given-operator.ts';
import { giveSession } from '../support/given-session.ts';
import { matrixRows } from '../support/matrix-rows.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests({ clock: stillClock(), hasIdentity: true });
const account = await host.account();

const contracts = Object.values<OperateContract>(operateContracts);
const idOf = ({ operationId }: OperateContract) => operationId as OperateOperationId;
const paramsOf = ({ example }: OperateContract) => (example.params ? { params: example.params } : {});

/**
 * The possible statuses of an admitted request, which is sent without a body and with names that may not exist. Only
 * its body or its names may be rejected.
 */
const openStatuses = ({ body, params, success }: OperateContract): readonly number[] => [
  ...(body ? [400] : []),
  ...(params ? [404] : []),
  ...(body ? [] : [success.status]),
];

describe.each(matrixRows(contracts))('the operators’ operation $operationId', (contract) => {
  test.each(operatorRoles)('is open to the role %s only if that role includes the operation’s role', async (role) => {
    const { cookie } = await giveOperator(host.service.context, role);
    const { status } = await callAsOperator(host.url, idOf(contract), { cookie, ...paramsOf(contract) });
    const isOpen = operatorRoles.indexOf(role) >= operatorRoles.indexOf(contract.operator);
    expect(isOpen ? openStatuses(contract) : [403]).toContain(status);
  });

  test('rejects requests without a session, of tokens and of account owners, whatever the name of their cookie', async () => {
    const owner = await giveSession(host.service.context, account.accountId);
    const senders = [
      {},
      { headers: { authorization: `Bearer ${account.token}` } },
      { cookie: owner.cookie },
      { cookie: owner.cookie.replace('session=', 'operator=') },
    ];
    for (const sender of senders) {
      const response = await callAsOperator(host.url, idOf(contract), { ...paramsOf(contract), ...sender });
      expect([response.status, response.body.error?.code]).toEqual([401, 'UNAUTHORIZED']);
      expect(response.headers['cache-control']).toBe('no-store');
    }
  });

  test.runIf(contract.method !== 'GET')('rejects a write that no page of the same site made', async () => {
    const { cookie } = await giveOperator(host.service.context, 'admin');
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site };
      const response = await callAsOperator(host.url, idOf(contract), { cookie, ...paramsOf(contract), headers });
      expect([response.status, response.body.error?.code]).toEqual([403, 'FORBIDDEN']);
    }
  });
});
