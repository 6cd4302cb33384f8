import { operateContracts } from '../../shared/contracts/operate.ts';
import { attention } from '../../shared/domain/operator-reads/attention.ts';
import { catalog, circuits, tasks } from '../../shared/domain/store-ports.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Returns what needs attention now. */
export const getAttention: OperateOperation<'getAttention', 'catalog' | 'circuits' | 'tasks'> = (_, context) =>
  attention(context);

export const definition = operateLambda(operateContracts.getAttention, getAttention, { catalog, circuits, tasks });
