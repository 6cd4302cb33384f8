/** Sends generation requests with the session: each as a batch of one, which gets the response of a single request. */
import type * as z from 'zod';
import type { generateContracts } from '../../../shared/contracts/generate.ts';
import { batchContracts, type GenerationId } from '../../../shared/contracts/generate-batch.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import type { Generation } from './request.ts';

type Contract = (typeof generateContracts)[GenerationId];

interface How {
  readonly isDryRun?: boolean;
  readonly idempotencyKey?: string;
}

async function send({ operation, body, mode, clientReference }: Generation, how: How, signal?: AbortSignal) {
  const item = { operation, body, ...(clientReference !== undefined && { clientReference }) };
  const request = { body: { items: [item] }, mode, ...how };
  const { items } = await call(batchContracts.generateBatch, request, signal ? { signal } : {});
  const [answer] = items;
  const { code = 'INTERNAL_ERROR', message = '' } = answer?.error ?? {};
  if (!answer || answer.error) throw new ApiError(answer?.status ?? 500, code, message);
  return answer.data;
}

/** Requests the price of a request, and the balance. @throws {ApiError} */
export const priceOf = async (generation: Generation, signal: AbortSignal) =>
  (await send(generation, { isDryRun: true }, signal)) as z.output<Contract['dryRun']>;

/** Creates a task and returns its id. The same key creates no second one. @throws {ApiError} */
export async function generate(generation: Generation, idempotencyKey: string): Promise<string> {
  const { taskId } = (await send(generation, { idempotencyKey })) as z.output<Contract['success']['data']>;
  return taskId;
}
