/** The generation operations: each takes a request, debits credits and answers with a task. */
import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { credits, id, numberBetween, oneOf, oneOfInAnyCase, text, userUrl } from './fields.ts';
import type { OperationContract } from './operation.ts';
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

const Accepted = z.object({ taskId: id(), status: z.literal('queued') }).meta({ id: 'AcceptedTask' });

const DryRun = z
  .object({ cost: credits(), balance: credits(), operation: z.string().describe('The operationId.') })
  .meta({ id: 'DryRun' });

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

const callbackUrl = userUrl()
  .optional()
  .describe(
    'Where the webhook goes when the task ends: an https URL of a public host. A name that does not resolve yet is accepted; one that resolves to a private address is refused.',
  );

/** What all generation operations have in common, written once. */
const generation = <const Entry extends GenerationEntry>({ errors, example, exampleCost, ...entry }: Entry) => ({
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

export const voiceSlugs = [
  'aria',
  'roger',
  'sarah',
  'laura',
  'charlie',
  'george',
  'callum',
  'river',
  'liam',
  'charlotte',
  'alice',
  'matilda',
  'will',
  'jessica',
  'eric',
  'chris',
  'brian',
  'daniel',
  'lily',
  'bill',
] as const;

const VoiceRequest = z
  .object({
    text: text(1, 2000).describe('What to say, in Portuguese, English or Spanish.'),
    voice: oneOfInAnyCase(voiceSlugs).optional().describe('A voice by name, in any case.'),
    voiceId: text(1)
      .optional()
      .describe("A voice by the engine's own id. Given both, `voiceId` wins, and `voice` must still be a valid name."),
    stability: numberBetween(0, 1).default(0.5).describe('Low is expressive, high is even.'),
    similarityBoost: numberBetween(0, 1).default(0.75).describe("How closely to keep to the voice's own sound."),
    callbackUrl,
  })
  .refine((body) => body.voice !== undefined || body.voiceId !== undefined, {
    error: 'voice or voiceId is required',
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .meta({
    id: 'VoiceRequest',
    anyOf: [
      { title: 'voice is given', required: ['voice'] },
      { title: 'voiceId is given', required: ['voiceId'] },
    ],
  });

export const generateContracts = {
  generateVoice: generation({
    operationId: 'generateVoice',
    taskType: 'voice',
    scope: 'generate:audio',
    medium: 'audio',
    summary: 'Speaks a text',
    description:
      'Text to speech. The result is an MP3. Costs one credit per 50 characters begun, counted as Unicode code points. The task goes pending → processing → completed or failed; a failed task is refunded in full.',
    body: VoiceRequest,
    errors: ['GENERATION_FAILED'],
    example: { text: 'Olá! Seu vídeo está pronto.', voice: 'sarah', callbackUrl: 'https://example.com/webhooks' },
    exampleCost: 1,
  }),
} as const satisfies Record<string, OperationContract>;

type GenerationContract = (typeof generateContracts)[keyof typeof generateContracts];
export type TaskType = GenerationContract['taskType'];

const generations: readonly GenerationContract[] = Object.values(generateContracts);

export const taskTypes = generations.map((contract) => contract.taskType) as unknown as readonly [
  TaskType,
  ...TaskType[],
];

/** What a task needs to know of the operation that made it. */
interface GenerationKind {
  readonly operationId: string;
  readonly scope: Scope;
  readonly medium: Medium;
  readonly success: { readonly status: number };
}

/** The operation that makes tasks of a type. */
export const generationOf = (taskType: TaskType): GenerationKind => {
  const contract = generations.find((candidate) => candidate.taskType === taskType);
  if (!contract) throw new Error(`no operation makes tasks of type ${taskType}`);
  return contract;
};
