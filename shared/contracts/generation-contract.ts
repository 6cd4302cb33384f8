/** What all generation operations have in common: each accepts a request, debits credits and creates a task. */
import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { credits, Flag, id, shortText, text } from './fields.ts';
import {
  chargedFailuresPerDay,
  longResultsPerDay,
  paidCreditsPerRefunded,
  refundedCreditsPerDay,
  type TimeLimitSeconds,
} from './limits.ts';
import { once } from './once.ts';
import type { Availability, LikenessUse, OperationContract } from './operation.ts';
import type { GenerationScope } from './scopes.ts';
import type { TaskType } from './task-types.ts';
import { receiverUrl } from './url-fields.ts';

/** The kind of file that a task produces. */
export type Medium = 'image' | 'audio' | 'video';

/** What a generation operation declares about the tasks that it creates. */
export interface TaskRules extends Availability, LikenessUse {
  readonly scope: GenerationScope;
  readonly medium: Medium;
  /** How long a task may take before it fails with PROVIDER_TIMEOUT. */
  readonly timeLimitSeconds: TimeLimitSeconds;
  /** Whether a task shows `submitted` between `pending` and `processing`. */
  readonly showsSubmitted?: true;
  /** The field (of the request or its inspection) that holds the number of results; 1 result by default. */
  readonly resultCountField?: string;
  /** The fewest results a completed task has, if some may fail; all by default. */
  readonly minResults?: number;
  /**
   * How many seconds of media the price covers: a number, the field of the request that holds it, or the field of the
   * inspection that holds the measured duration of a file; null if the price does not depend on duration. If the
   * engine's result is longer, the task fails.
   */
  readonly paidSeconds?: number | string | { readonly measured: string } | null;
  /**
   * The field (of the request or its inspection) with the media that the operation changes. Results are marked as edited
   * if it is given, otherwise as created.
   */
  readonly edits?: string;
  /** What a completed task creates in addition to its results. */
  readonly creates?: 'influencer';
  /** Names of the new ids that the 202 response returns in addition to `taskId`. */
  readonly acceptedIds?: readonly string[];
  /** What the inspection adds to a request for the engine; URLs in it are treated like those of the request. */
  readonly derived?: () => z.ZodType;
}

export interface GenerationContract extends OperationContract, TaskRules {
  /** The path segment of the operation, which is also the `taskType` of its tasks. */
  readonly taskType: TaskType;
  readonly price: string;
  readonly body: z.ZodType<Record<string, unknown>>;
  readonly headers: ReturnType<typeof generationHeaders>;
  readonly success: { readonly status: 202; readonly retryAfter: 'always'; readonly data: z.ZodType };
  readonly dryRun: ReturnType<typeof DryRun>;
}

/** Operations that result in audio or video must declare whether their price depends on duration. */
type Timed =
  | { readonly medium: 'image' }
  | { readonly medium: 'audio' | 'video'; readonly paidSeconds: NonNullable<TaskRules['paidSeconds']> | null };

interface Described extends TaskRules {
  readonly operationId: string;
  readonly taskType: TaskType;
  /** Whether the operation is an addition to the API's specification. */
  readonly extension?: true;
  readonly summary: string;
  /** The description of the operation, to which the price and the statuses of the task are appended. */
  readonly description?: string;
  /** What a task costs at the default prices, in words: `5 credits`. */
  readonly price: string;
  /** Builds the schema lazily, on first use. */
  readonly body: () => z.ZodType<Record<string, unknown>>;
  /** A limit of the operation that answers `RATE_LIMITED`, in addition to those that follow from `paidSeconds`. */
  readonly furtherLimit?: string;
  /** Errors in addition to those that every generation operation has. */
  readonly errors?: readonly ErrorCode[];
  readonly example: Readonly<Record<string, unknown>>;
  /** The cost of the example request at the default prices. */
  readonly exampleCost: number;
}

type GenerationEntry = Described & Timed;

const Accepted = once(() =>
  z
    .object({
      taskId: id().describe('The task to poll.'),
      status: z.literal('queued').describe('Always `queued`; when you read the task, its first status is `pending`.'),
    })
    .meta({ id: 'AcceptedTask', description: 'The task that was created.' }),
);

const DryRun = once(() =>
  z
    .object({
      cost: credits().describe('What the request would cost.'),
      balance: credits().describe('The current balance in credits.'),
      operation: shortText().describe('The `operationId` of the operation.'),
    })
    .meta({ id: 'DryRun', description: 'What a request would cost.' }),
);

const generationHeaders = once(() =>
  z.object({
    'x-client-reference': text(1, 128)
      .optional()
      .describe(
        'Extension. Your own reference for the task, stored as `clientReference`; task lists can be filtered by it.',
      ),
    'x-dry-run': Flag()
      .optional()
      .describe(
        'Extension. `true` runs every check and responds 200 with the cost; nothing is created, debited or stored.',
      ),
  }),
);

export const callbackUrl = () =>
  receiverUrl()
    .optional()
    .describe(
      'Where the webhook is sent when the task ends: an https URL of a public host. A host name that does not resolve yet is accepted; one that resolves to a private address is rejected. A service on your own machine also accepts `http://127.0.0.1` and `http://localhost` with a port.',
    );

/** A `callbackUrl` field for operations whose specification does not list one. */
export const extensionCallback = () => ({
  callbackUrl: callbackUrl().describe(`Extension. ${callbackUrl().description ?? ''}`),
});

/** A fixed price in words. */
export const priceOf = ({ credits }: { readonly credits: number }) =>
  `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

interface Stated {
  readonly description?: string | undefined;
  readonly price: string;
  readonly showsSubmitted?: boolean | undefined;
}

const descriptionOf = ({ description, price, showsSubmitted }: Stated) =>
  [
    ...(description ? [description] : []),
    `Default price: ${price}.`,
    `The task goes pending → ${showsSubmitted ? 'submitted → ' : ''}processing → completed or failed; a failed task is refunded in full.`,
  ].join(' ');

const exampleId = (position: number) => `0193a5c4-8f0f-7aa2-b1c3-1d2e3f40516${position}`;

const exampleResponses = (operationId: string, acceptedIds: readonly string[], cost: number) => {
  const further = Object.fromEntries(acceptedIds.map((name, index) => [name, exampleId(index + 3)]));
  return {
    data: { taskId: exampleId(2), status: 'queued', ...further },
    dryRun: { cost, balance: 1000, operation: operationId },
  };
};

/**
 * The data of the 202 response to a request that created a task: the task's id, and any further ids that the operation
 * declares.
 */
function acceptedData(operationId: string, acceptedIds: readonly string[]): ReturnType<typeof Accepted> {
  const accepted = Accepted();
  if (acceptedIds.length === 0) return accepted;
  const further: typeof accepted.shape = Object.fromEntries(acceptedIds.map((name) => [name, id()])) as never;
  const name = operationId.replace(/^./, (first) => first.toUpperCase());
  return accepted.extend(further).meta({ ...accepted.meta(), id: `${name}Accepted` });
}

/** What follows for an account from tasks that failed by its own fault although their engines charged for them. */
const chargedLimit = (): string =>
  `${chargedFailuresPerDay} tasks of the account, or fewer that cost ${refundedCreditsPerDay} credits, failed today (UTC) although their engines charged for them: with \`CONTENT_REJECTED\` or \`INPUT_INVALID\`, or with \`PROVIDER_ERROR\` or \`INTERNAL_ERROR\` because of a file or unusable results; and they cost more than 1/${paidCreditsPerRefunded} of what the account paid today for other tasks. Retry-After is the rest of the day. Free engines and test tokens have no such limit.`;

/** What follows for an account from tasks whose engine may have worked for longer than was paid for. */
const longLimit = (): string =>
  `${longResultsPerDay} tasks priced by the duration of a file counted as longer than what was paid for today (UTC): their result or their file was, the file contradicted itself, or an engine timed out. Retry-After is the rest of the day. Test tokens have no such limit.`;

interface Limited {
  readonly paidSeconds?: TaskRules['paidSeconds'] | undefined;
  readonly furtherLimit?: string | undefined;
}

const furtherLimitsOf = ({ paidSeconds = null, furtherLimit }: Limited) => ({
  RATE_LIMITED: [
    ...(isPricedByFile({ paidSeconds }) ? [longLimit()] : []),
    chargedLimit(),
    ...(furtherLimit === undefined ? [] : [furtherLimit]),
  ].join(' Or: '),
});

const unavailable = 'PROVIDER_UNAVAILABLE';

/** Completes the contract of a generation operation with what all of them share. */
export const generation = <const Entry extends GenerationEntry>({
  body: buildBody,
  errors = [],
  example,
  exampleCost,
  ...entry
}: Entry) => {
  const { acceptedIds = [], whenSwitchedOff = unavailable, whenUnavailable = unavailable } = entry;
  const codes = [
    ...errors,
    'GENERATION_FAILED',
    whenSwitchedOff,
    whenUnavailable,
    'INSUFFICIENT_CREDITS',
    'MAX_CONCURRENT_TASKS',
  ] as const;
  const body = once(buildBody as () => ReturnType<Entry['body']>);
  const data = once(() => acceptedData(entry.operationId, acceptedIds));
  return {
    ...entry,
    description: descriptionOf(entry),
    get body() {
      return body();
    },
    method: 'POST' as const,
    path: `/api/v1/generate/${entry.taskType}` as const,
    tag: 'Generation',
    scopes: [entry.scope] as const,
    idempotent: true,
    get headers() {
      return generationHeaders();
    },
    success: {
      status: 202 as const,
      retryAfter: 'always' as const,
      get data() {
        return data();
      },
    },
    links: { getTask: { taskId: 'taskId' }, cancelTask: { taskId: 'taskId' } },
    get dryRun() {
      return DryRun();
    },
    errors: [...new Set(codes)],
    furtherLimits: furtherLimitsOf(entry),
    example: { body: example, ...exampleResponses(entry.operationId, acceptedIds, exampleCost) },
  };
};

/** Whether the price depends on the measured duration of a file of the account. */
export const isPricedByFile = ({ paidSeconds }: Pick<TaskRules, 'paidSeconds'>): boolean =>
  typeof paidSeconds === 'object' && paidSeconds !== null;

/** How many results a task with this input has. */
export const resultCountOf = (
  { resultCountField }: Pick<TaskRules, 'resultCountField'>,
  input: Readonly<Record<string, unknown>>,
): number => (resultCountField === undefined ? 1 : Number(input[resultCountField]));

/**
 * The longest each result of a task with this input may be, in seconds; undefined if the price does not depend on
 * duration.
 */
export function paidSecondsOf(
  { paidSeconds }: Pick<TaskRules, 'paidSeconds'>,
  input: Readonly<Record<string, unknown>>,
): number | undefined {
  if (paidSeconds === undefined || paidSeconds === null) return undefined;
  if (typeof paidSeconds === 'number') return paidSeconds;
  const field = typeof paidSeconds === 'string' ? paidSeconds : paidSeconds.measured;
  const seconds = input[field];
  if (typeof seconds !== 'number') throw new Error(`${field} holds no number of seconds`);
  return seconds;
}
