/** The earlier answer that a request's key stands for, if there is one. */
import { startTask } from '../domain/tasks/start-task.ts';
import type { Exchange } from './exchange.ts';
import { Replay } from './refusal.ts';
import { isDryRun } from './respond.ts';

/** Ends a repeated request with its first answer. A dry run neither reads nor keeps answers. @throws {Replay} */
export async function replayStored(exchange: Exchange): Promise<void> {
  const { caller, context, contract, request } = exchange;
  if (!caller || !request?.idempotency || isDryRun(exchange)) return;
  const { accountId } = caller;
  const scope = { accountId, operationId: contract.operationId, key: request.idempotency.key };
  const stored = await context.idempotency.find(scope, context.clock.now());
  if (!stored) return;
  const { workflow } = context;
  // The first caller may have died between the commit and the start; a running execution is left alone.
  if (stored.taskId && workflow) await startTask({ ...context, workflow }, stored.taskId);
  throw new Replay(stored);
}
