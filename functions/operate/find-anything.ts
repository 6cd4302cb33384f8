import { operateContracts } from '../../shared/contracts/operate.ts';
import { findAnything as find } from '../../shared/domain/search/find-anything.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Finds anything that a customer, a gateway or a log names. */
export const findAnything: OperateOperation<'findAnything'> = async ({ body }, context) => {
  const { found, hasMore } = await find(context, body.text);
  return { found: found.map((thing) => ({ ...thing, accountId: thing.accountId ?? null })), hasMore };
};

export const definition = operateLambda(operateContracts.findAnything, findAnything);
