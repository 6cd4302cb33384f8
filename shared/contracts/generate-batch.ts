/** The operation that sends many generation requests in one. */
import * as z from 'zod';
import { errorMembers } from './error-members.ts';
import { Flag, idempotencyKey, jsonObject, listOf, oneOf, text } from './fields.ts';
import { generateContracts } from './generate.ts';
import type { GenerationContract } from './generation-contract.ts';
import { batchItemsLimit, simultaneousTasks } from './limits.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';
import { generationScopes } from './scopes.ts';

/** The id of an operation that a batch can request. */
export type GenerationId = keyof typeof generateContracts;

const operationIds = Object.keys(generateContracts) as [GenerationId, ...GenerationId[]];
const contracts: readonly GenerationContract[] = Object.values(generateContracts);

const BatchRequestItem = once(() =>
  z
    .object(
      {
        operation: oneOf(operationIds).describe('The `operationId` of the generation operation.'),
        body: jsonObject().describe('The body of the request, as the operation documents it.'),
        clientReference: text(1, 128)
          .optional()
          .describe(
            'What a single request has in `X-Client-Reference`. The header of the webhook has spaces for its control characters.',
          ),
        idempotencyKey: idempotencyKey()
          .optional()
          .describe('What a single request has in `Idempotency-Key`; both kinds of request share their keys.'),
      },
      { error: 'must be an object' },
    )
    .meta({ id: 'BatchRequestItem', description: 'A generation request.' }),
);

const BatchRequest = once(() =>
  z
    .object({ items: listOf(BatchRequestItem(), batchItemsLimit, 1).describe('The requests.') })
    .meta({ id: 'BatchRequest' }),
);

/** What the operations return. A schema with further members comes first, because a schema drops unknown members. */
function dataSchemas(): z.ZodType[] {
  const accepted = contracts.toSorted((one, other) => Number('acceptedIds' in other) - Number('acceptedIds' in one));
  return [
    ...new Set<z.ZodType>([...accepted.map(({ success }) => success.data), generateContracts.generateVoice.dryRun]),
  ];
}

const BatchError = once(() =>
  z.object(errorMembers()).meta({ id: 'BatchError', description: 'Why a request was rejected.' }),
);

const BatchResponseItem = once(() =>
  z
    .object({
      status: z.int().min(200).max(599).describe('The HTTP status that the request would have had alone.'),
      data: z.union(dataSchemas()).optional().describe('The data of an accepted request, or of a dry run.'),
      error: BatchError().optional(),
    })
    .meta({ id: 'BatchResponseItem', description: 'The response to one request: `data` or `error`.' }),
);

const BatchResponse = once(() =>
  z
    .object({
      items: z.array(BatchResponseItem()).min(1).max(batchItemsLimit).describe('In the order of the requests.'),
    })
    .meta({ id: 'Batch', description: 'The responses to the requests of a batch.' }),
);

const batchHeaders = once(() =>
  z.object({
    'x-dry-run': Flag().optional().describe('Extension. `true` makes every request of the batch a dry run.'),
  }),
);

const exampleTaskId = '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162';

export const batchContracts = {
  generateBatch: {
    operationId: 'generateBatch',
    method: 'POST',
    path: '/api/v1/generate/batch',
    tag: 'Generation',
    scopes: generationScopes,
    idempotent: true,
    extension: true,
    dashboard: true,
    summary: 'Send up to 20 generation requests at once',
    description: [
      `Each of the 1 to ${batchItemsLimit} requests is accepted or rejected by itself, as if it were sent alone, and needs the scope of its own operation. The response is 200 even if all are rejected; only a batch that is malformed itself is 400.`,
      `The batch counts as one request against the rate limit. Credits and the ${simultaneousTasks} open tasks are given out in the order of the requests.`,
      'A request without `idempotencyKey` gets a key derived from the `Idempotency-Key` of the batch and its position, which no other request can have: if a batch is sent again, the accepted requests get their first response and the others are tried again. `Idempotent-Replayed` is present if every accepted request got its first response, and `Idempotent-Body-Mismatch` if any of them had another body.',
    ].join('\n\n'),
    get headers() {
      return batchHeaders();
    },
    get body() {
      return BatchRequest();
    },
    success: {
      status: 200,
      retryAfter: 'while-open',
      description: 'Each request was accepted or rejected by itself.',
      get data() {
        return BatchResponse();
      },
    },
    errors: [],
    example: {
      body: {
        items: [
          { operation: 'generateVoice', body: { text: 'Olá! Seu vídeo está pronto.', voice: 'sarah' } },
          { operation: 'generateImage', body: { prompt: 'Um farol ao entardecer' }, clientReference: 'capa' },
        ],
      },
      data: {
        items: [
          { status: 202, data: { taskId: exampleTaskId, status: 'queued' } },
          {
            status: 402,
            error: { code: 'INSUFFICIENT_CREDITS', message: 'The request costs 4 credits and the balance is 0.' },
          },
        ],
      },
    },
  },
} as const satisfies Record<string, OperationContract>;
