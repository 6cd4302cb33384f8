/** The workflows by name, and what state machines, queues and schedules pass to their functions. */
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

/** Where a clip is in its original video, and what an engine says of it. */
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

/** How an engine's work ended. */
export const Outcome = once(() =>
  z.discriminatedUnion('status', [
    // A transcription of silence has none.
    z.object({ status: z.literal('done'), outputs: z.array(Output()) }),
    z.object({
      status: z.literal('failed'),
      code: z.enum(failureCodes),
      /** Which field is wrong and why, in our own words: never the provider's text. */
      detail: z.string().max(500).optional(),
      /** The engine was never called: the failure says nothing about it. */
      isOwn: z.literal(true).optional(),
    }),
  ]),
);
export type Outcome = z.output<ReturnType<typeof Outcome>>;

export const AskEngineInput = once(() => z.object({ taskId: id(), token: z.string().min(1) }));

/** The error that a Catch of States.ALL adds to the state machine's data. */
export const CaughtError = once(() => z.object({ Error: z.string(), Cause: z.string().optional() }));

export const FinalizeInput = once(() => z.object({ taskId: id(), outcome: z.union([Outcome(), CaughtError()]) }));
export type FinalizeInput = z.output<ReturnType<typeof FinalizeInput>>;

/** EventBridge's "Step Functions Execution Status Change". */
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

/** Whether the name of a state machine is that of the workflow, possibly after a prefix: `cut-clips`, `Prod-CutClips`. */
export const isMachineOf = (workflow: WorkflowName, stateMachineArn: string): boolean =>
  lettersOf(stateMachineArn.split(':')[6] ?? '').endsWith(lettersOf(workflow));

/** One attempt at delivering a task's webhook; the fourth begins a second series, and so on. */
export const DeliverWebhookMessage = once(() =>
  z.object({
    taskId: id(),
    attempt: z.int().min(1),
    /** How often this attempt was deferred because too many deliveries were in flight. */
    deferrals: z.int().min(0).default(0),
  }),
);
export type DeliverWebhookMessage = z.output<ReturnType<typeof DeliverWebhookMessage>>;

/** The payment gateways that send events. */
const eventGateways = ['mercado-pago', 'stripe'] as const;

/** An event of a gateway, verified, that could not be processed at once. */
export const PaymentEventMessage = once(() =>
  z.object({
    gateway: z.enum(eventGateways),
    eventId: z.string().min(1),
    /** What the event is about, as its gateway names it: a payment, or what belongs to a subscription. */
    subject: z.string().min(1),
  }),
);
export type PaymentEventMessage = z.output<ReturnType<typeof PaymentEventMessage>>;

/** A schedule's event, of which functions need nothing. */
export const Tick = once(() => z.object({}));

export const SweepInput = once(() =>
  z.object({
    /** Checks every open task now, even if its next check is not due: for a service that has just started. */
    everything: z.boolean().default(false),
  }),
);
