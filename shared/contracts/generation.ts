/** What all generation operations have in common: each takes a request, debits credits and answers with a task. */
import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { credits, id, oneOf, receiverUrl, shortText, text } from './fields.ts';
import type { Scope } from './scopes.ts';

/** The kind of result; it decides a task's statuses and time limit. */
export type Medium = 'image' | 'audio' | 'video';

interface GenerationEntry {
  readonly operationId: string;
  /** The operation's path name, and the `taskType` of what it creates. */
  readonly taskType: string;
  readonly scope: Scope;
  readonly medium: Medium;
  readonly summary: string;
  readonly description: string;
  readonly body: z.ZodType<Record<string, unknown>>;
  readonly errors: readonly ErrorCode[];
  readonly example: Readonly<Record<string, unknown>>;
  /** What the example costs at the default prices. */
  readonly exampleCost: number;
}

const Accepted = z
  .object({
    taskId: id().describe('The task to poll.'),
    status: z.literal('queued').describe('Always `queued`; a task that is read begins at `pending`.'),
  })
  .meta({ id: 'AcceptedTask', description: 'The task that was created.' });

const DryRun = z
  .object({
    cost: credits().describe('What the request would cost.'),
    balance: credits().describe('The credits that the account has now.'),
    operation: shortText().describe('The operationId.'),
  })
  .meta({ id: 'DryRun', description: 'What a request would cost.' });

const generationHeaders = z.object({
  'x-client-reference': text(1, 128)
    .optional()
    .describe(
      'Extension. A name of yours for the task, kept as its `clientReference` and usable as a filter of the task list.',
    ),
  'x-dry-run': oneOf(['true', 'false'])
    .optional()
    .describe(
      'Extension. `true` runs every check and answers 200 with the cost; nothing is created, debited or stored.',
    ),
});

export const callbackUrl = receiverUrl()
  .optional()
  .describe(
    'Where the webhook goes when the task ends: an https URL of a public host. A name that does not resolve yet is accepted; one that resolves to a private address is refused.',
  );

/** What all generation operations have in common, written once. */
export const generation = <const Entry extends GenerationEntry>({ errors, example, exampleCost, ...entry }: Entry) => ({
  ...entry,
  method: 'POST' as const,
  path: `/api/v1/generate/${entry.taskType}` as const,
  tag: 'Generation',
  scopes: [entry.scope] as const,
  idempotent: true,
  headers: generationHeaders,
  success: { status: 202 as const, data: Accepted },
  links: { getTask: { taskId: 'taskId' }, cancelTask: { taskId: 'taskId' } },
  dryRun: DryRun,
  errors: [...errors, 'INSUFFICIENT_CREDITS', 'MAX_CONCURRENT_TASKS', 'PROVIDER_UNAVAILABLE'] as const,
  example: {
    body: example,
    data: { taskId: '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162', status: 'queued' },
    dryRun: { cost: exampleCost, balance: 1000, operation: entry.operationId },
  },
});
