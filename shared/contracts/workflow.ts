/** The workflows by name, and the inputs that state machines, queues and schedules pass to functions. */
import * as z from 'zod';
import { taskErrors } from './errors.ts';
import { id } from './fields.ts';
import { once } from './once.ts';

const failureCodes = Object.keys(taskErrors) as [keyof typeof taskErrors, ...(keyof typeof taskErrors)[]];

/** The input of an execution, which is named after its task. */
export interface GenerateInput {
  readonly taskId: string;
}

/** The workflows; the definition of each is `state-machines/<name>.asl.json`. */
export const workflowNames = ['cut-clips', 'generate'] as const;
export type WorkflowName = (typeof workflowNames)[number];

/** Where a clip is in its original video, and what an engine says about it. */
export const ClipFacts = once(() =>
  z.object({
    title: z.string().exactOptional(),
    hook: z.string().exactOptional(),
    score: z.number().exactOptional(),
    startTime: z.number().exactOptional(),
    endTime: z.number().exactOptional(),
  }),
);
export type ClipFacts = Readonly<z.output<ReturnType<typeof ClipFacts>>>;

const Output = once(() =>
  z.object({
    url: z.string(),
    contentType: z.string(),
    width: z.int().optional(),
    height: z.int().optional(),
    durationSec: z.number().optional(),
    posterUrl: z.string().optional(),
    clip: ClipFacts().optional(),
  }),
);

/** How an engine job ended. */
export const Outcome = once(() =>
  z.discriminatedUnion('status', [
    // The list of outputs may be empty: a transcription of silence has none.
    z.object({ status: z.literal('done'), outputs: z.array(Output()) }),
    z.object({
      status: z.literal('failed'),
      code: z.enum(failureCodes),
      /** Which field is invalid and why, in the service's own words, never the provider's text. */
      detail: z.string().max(500).optional(),
      /** The engine was never called, so the failure says nothing about it. */
      isOwn: z.literal(true).optional(),
      /** The engine found more media in a file than was paid for, or its result was longer. */
      isTooLong: z.literal(true).optional(),
    }),
  ]),
);
export type Outcome = z.output<ReturnType<typeof Outcome>>;

export const AskEngineInput = once(() => z.object({ taskId: id(), token: z.string().min(1) }));

/** The error that a Catch of States.ALL adds to the state machine's data. */
export const CaughtError = once(() => z.object({ Error: z.string(), Cause: z.string().optional() }));

export const FinalizeInput = once(() => z.object({ taskId: id(), outcome: z.union([Outcome(), CaughtError()]) }));
export type FinalizeInput = z.output<ReturnType<typeof FinalizeInput>>;

/** EventBridge's event "Step Functions Execution Status Change". */
export const ExecutionEnded = once(() =>
  z.object({
    detail: z.object({
      name: id(),
      status: z.string(),
      error: z.string().nullish(),
      stateMachineArn: z.string().exactOptional(),
    }),
  }),
);

const lettersOf = (name: string): string => name.replaceAll('-', '').toLowerCase();

/** Whether a state machine's name is that of the workflow, optionally with a prefix: `cut-clips`, `Prod-CutClips`. */
export const isMachineOf = (workflow: WorkflowName, stateMachineArn: string): boolean =>
  lettersOf(stateMachineArn.split(':')[6] ?? '').endsWith(lettersOf(workflow));

/** One attempt to deliver a task's webhook. Attempts are grouped in series: the fourth begins the second series. */
export const DeliverWebhookMessage = once(() =>
  z.object({
    taskId: id(),
    attempt: z.int().min(1),
    /** How many times this attempt was deferred because too many deliveries were in flight. */
    deferrals: z.int().min(0).default(0),
  }),
);
export type DeliverWebhookMessage = z.output<ReturnType<typeof DeliverWebhookMessage>>;

/** Payment gateways that send events. */
const eventGateways = ['mercado-pago', 'stripe'] as const;

/** A verified payment event that could not be processed at once. */
export const PaymentEventMessage = once(() =>
  z.object({
    gateway: z.enum(eventGateways),
    eventId: z.string().min(1),
    /** What the event is about: the gateway's id of a payment, or of an object that belongs to a subscription. */
    subject: z.string().min(1),
  }),
);
export type PaymentEventMessage = z.output<ReturnType<typeof PaymentEventMessage>>;

/** The event of a schedule; functions read nothing from it. */
export const Tick = once(() => z.object({}));

export const SweepInput = once(() =>
  z.object({
    /** Whether to check every open task now, even if its next check is not due; used right after the service starts. */
    everything: z.boolean().default(false),
  }),
);
