import { operateContracts } from '../../shared/contracts/operate.ts';
import { grantRequestStore } from '../../shared/domain/operators/grant-requests.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Lists the grants that a second operator may decide. */
export const listGrantRequests: OperateOperation<'listGrantRequests'> = async (_, { clock, table }) => {
  const waiting = await grantRequestStore(table).waiting(clock.now());
  return {
    requests: waiting.map(({ accountId, amount, kind, reason, requestedAt, requestedBy, requestId, validUntil }) => ({
      requestId,
      accountId,
      amount,
      kind,
      reason,
      requestedBy: requestedBy.name,
      requestedAt: timestamp(requestedAt),
      validUntil: timestamp(validUntil),
    })),
  };
};

export const definition = operateLambda(operateContracts.listGrantRequests, listGrantRequests);
