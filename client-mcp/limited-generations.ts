/** Quotes and starts generations, whose prices together never exceed a limit. */
import { type AnyRequest, type ApiResponse, type Client, client } from '../client/client.ts';
import type { AcceptedTask, DryRun } from '../client/operations.ts';
import contract from './contract.json' with { type: 'json' };
import { LimitError, type SpendingLimit } from './spending-limit.ts';
import { watchedFetch } from './watched-fetch.ts';

/** An operation that creates a task and can be quoted. */
export type GenerationId = keyof typeof contract.generations;
export type Input = Readonly<Record<string, unknown>>;

/** Thrown if no attempt got a response that says whether the task was created. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';
}

export interface StartedTask extends AcceptedTask {
  readonly creditsUsed: number;
}

export interface LimitedGenerations {
  readonly api: Client;
  /** @throws {CallError} */
  readonly quote: (operation: GenerationId, input: Input, signal?: AbortSignal) => Promise<DryRun>;
  /** @throws {CallError | LimitError | UnknownOutcomeError} */
  readonly generate: (operation: GenerationId, input: Input, signal?: AbortSignal) => Promise<StartedTask>;
}

type Generate = ((request: AnyRequest) => Promise<ApiResponse<202, AcceptedTask>>) & {
  readonly dryRun: (request: AnyRequest) => Promise<ApiResponse<200, DryRun>>;
};

export function limitedGenerations(
  options: Omit<Parameters<typeof client>[0], 'fetch'> & { readonly fetch: typeof globalThis.fetch },
  limit: SpendingLimit,
): LimitedGenerations {
  const watched = watchedFetch(options.fetch);
  const api = client({ ...options, fetch: watched.fetch });
  const callOf = (operation: GenerationId) => api[operation] as unknown as Generate;

  const quote: LimitedGenerations['quote'] = async (operation, input, signal) =>
    (await callOf(operation).dryRun({ body: input, ...(signal && { signal }) })).data;

  /**
   * The price of the created task, which differs from the quote if prices or the file of the request have changed in
   * between.
   */
  async function creditsOf(taskId: string, quoted: number): Promise<number> {
    const task = await api.getTask({ params: { taskId } }).catch(() => undefined);
    return task?.data.creditsUsed ?? quoted;
  }

  return {
    api,
    quote,
    generate: async (operation, input, signal) => {
      const { cost } = await quote(operation, input, signal);
      signal?.throwIfAborted();
      const reservation = limit.reserve(cost);
      const idempotencyKey = crypto.randomUUID();
      // Not aborted by the signal, because it would then be unknown whether the task was created.
      const sent = await callOf(operation)({ body: input, idempotencyKey }).catch((error: unknown) => {
        if (watched.takeEffect(idempotencyKey))
          throw new UnknownOutcomeError(
            `It is unknown whether the task was created; its ${cost} credits count as spent. Look for it with the tool list before you repeat the generation.`,
            { cause: error },
          );
        reservation.release();
        throw error;
      });
      watched.takeEffect(idempotencyKey);
      const { taskId } = sent.data;
      const creditsUsed = await creditsOf(taskId, cost);
      if (reservation.settle(creditsUsed)) return { ...sent.data, creditsUsed };
      const canceled = api.cancelTask({ params: { taskId } });
      const outcome = await canceled.then(
        () => 'was canceled and refunded',
        () => 'could not be canceled',
      );
      throw new LimitError(
        `Task ${taskId} costs ${creditsUsed} credits instead of the quoted ${cost}, which is over the limit. It ${outcome}.`,
      );
    },
  };
}
