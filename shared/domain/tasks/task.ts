/** A task: its properties, its states, and the transitions between them. */
import type { EnginePrice } from '../../catalog/engine-price.ts';
import { failureMessage, type TaskErrorCode } from '../../contracts/errors.ts';
import type { TaskRules } from '../../contracts/generation-contract.ts';
import type { Provenance } from '../../contracts/provenance.ts';
import type { TaskStatus } from '../../contracts/task-statuses.ts';
import type { TaskType } from '../../contracts/task-types.ts';
import type { WebhookStatus } from '../../contracts/webhook-statuses.ts';
import type { ClipFacts } from '../../contracts/workflow.ts';
import type { Retention } from '../retention.ts';
import type { DurationEstimate } from './duration-estimate.ts';
import type { VideoPromise } from './video-promise.ts';

/** A stored result. Its URL is not stored but derived when the task is read, because the base URL may change. */
export interface StoredResult {
  readonly key: string;
  readonly contentType: string;
  readonly bytes: number;
  /** The digest of the file, in hex; absent if it was stored before digests were. */
  readonly sha256?: string;
  readonly width?: number;
  readonly height?: number;
  readonly durationSec?: number;
  /** The key of the video's poster image. */
  readonly posterKey?: string;
  /** What the engine says about a clip; absent for other results. */
  readonly clip?: ClipFacts;
  /** What the file's Content Credentials say; absent if the service put none into it. */
  readonly provenance?: Provenance;
}

export interface Task {
  readonly taskId: string;
  readonly accountId: string;
  /** The token that created the task; absent if its owner did, in the dashboard. The task's webhook carries its secret. */
  readonly tokenId?: string;
  readonly taskType: TaskType;
  readonly status: TaskStatus;
  readonly progress: number;
  /** When the engine last reported progress. */
  readonly progressAt?: number;
  readonly cost: number;
  readonly input: Readonly<Record<string, unknown>>;
  readonly engine: string;
  /** The id of the engine's route, chosen when the task was created. */
  readonly route: string;
  /** Facts derived from the input, for the engine. */
  readonly derived?: Readonly<Record<string, unknown>>;
  /** What a credit was worth when the task was created, in millionths of a dollar; absent in tasks of test tokens. */
  readonly creditMicros?: number;
  /** What the engine charges for each kind of job; for operators only. Absent in tasks of test tokens. */
  readonly enginePrices?: Readonly<Record<string, EnginePrice>>;
  /** What the engines charge for the ended task, in millionths of a dollar; for operators only. */
  readonly engineCost?: number;
  /** The durations of input files, in seconds, that the cost was based on, by field. */
  readonly measuredSeconds?: Readonly<Record<string, number>>;
  /** The video that the task must result in; another one fails the task. */
  readonly promise?: VideoPromise;
  /** How long similar tasks took when this one was created; absent if none had been completed. */
  readonly estimate?: DurationEstimate;
  /** The month in which the cost counts toward the token's cap; absent if the token had none. */
  readonly cappedMonth?: string;
  readonly createdAt: number;
  /** When an open task fails with PROVIDER_TIMEOUT. */
  readonly deadlineAt: number;
  readonly startedAt?: number;
  /** When the engine accepted the task (only for types with the status `submitted`), and when it began to work. */
  readonly submittedAt?: number;
  readonly processingAt?: number;
  readonly endedAt?: number;
  /** Who ended the task; present only if an operator did. */
  readonly endedBy?: 'operator';
  /**
   * Who canceled the task: the id of a token, `owner` in the dashboard, or `closing` of the account. Absent if it was
   * not canceled, or was in an earlier release.
   */
  readonly canceledBy?: string;
  readonly errorCode?: TaskErrorCode;
  /** The message of the failure as clients receive it: `imageUrl must be a PNG file, not GIF. The credits were refunded.` */
  readonly errorMessage?: string;
  /**
   * The message that replaces the default one of the error code; only in tasks that failed before messages were stored.
   */
  readonly errorDetail?: string;
  readonly results?: readonly StoredResult[];
  /** Makes the results' URLs unguessable, and the same however often results are copied. */
  readonly resultsSecret: string;
  readonly callbackUrl?: string;
  readonly webhookStatus?: WebhookStatus;
  /** The first attempt of the current series; messages for attempts of earlier series are ignored. */
  readonly webhookFrom?: number;
  readonly clientReference?: string;
  /** For how long its account wanted to keep results and inputs when it created the task; absent by default. */
  readonly retention?: Retention | undefined;
  /** When these parts were erased because their period was over. */
  readonly resultsErasedAt?: number;
  readonly inputsErasedAt?: number;
  /** The influencer that the task creates; it exists once the task is completed. */
  readonly influencerId?: string;
  /** Present once the account has deleted the task, of which then only the remains are stored. */
  readonly deletion?: Deletion;
}

/** How far the erasure of a deleted task has got. */
export interface Deletion {
  readonly at: number;
  /** When everything that was stored for the task was first erased. */
  readonly erasedAt?: number;
  /** How often a writer was found to be late: it may have stored a file after the erasure. */
  readonly lateWrites: number;
}

/** A transition between states. It succeeds only from the states in `from`, whoever attempts it and however often. */
export interface Transition {
  readonly to: TaskStatus;
  readonly from: readonly TaskStatus[];
}

const open = ['pending', 'submitted', 'processing'] as const satisfies readonly TaskStatus[];

export const transitions = {
  submitted: { to: 'submitted', from: ['pending'] },
  processing: { to: 'processing', from: ['pending', 'submitted'] },
  completed: { to: 'completed', from: open },
  failed: { to: 'failed', from: open },
} as const satisfies Record<string, Transition>;

/** A transition of an open task that does not end it. */
export interface Advance extends Transition {
  readonly to: 'submitted' | 'processing';
}

export const isTerminal = (task: Pick<Task, 'status'>): boolean =>
  task.status === 'completed' || task.status === 'failed';

/** The transition that follows from an engine's report. */
export function transitionOn(
  event: 'accepted' | 'running',
  { showsSubmitted }: Pick<TaskRules, 'showsSubmitted'>,
): Advance {
  return showsSubmitted && event === 'accepted' ? transitions.submitted : transitions.processing;
}

export const deadlineOf = (limit: { readonly timeLimitSeconds: number }, createdAt: number): number =>
  createdAt + limit.timeLimitSeconds * 1000;

/** How long after a task's end an undelivered webhook is checked. */
export const deliveryCheckMs = 30_000;

/** The workflow itself ends an overdue task; if it does not, the sweeper does so this much later. */
export const overdueMs = 60_000;

export const refundOf = (task: Pick<Task, 'status' | 'cost'>): number => (task.status === 'failed' ? task.cost : 0);

/** The error of a failed task as clients receive it, in the same words at every request. */
export function failureOf({ errorCode: code = 'INTERNAL_ERROR', errorDetail, errorMessage }: Task) {
  return { code, message: errorMessage ?? failureMessage(code, errorDetail) };
}

/** The folder of everything that is stored for a task while it is in progress: nothing else is stored in it. */
export const inputsFolder = (taskId: string): string => `inputs/${taskId}/`;

/** The folder of a task's results and their posters. */
export const resultsFolder = ({ taskId, resultsSecret }: Pick<Task, 'taskId' | 'resultsSecret'>): string =>
  `results/${taskId}-${resultsSecret}/`;

/** The key of an input's copy, which is stored while the task is in progress. */
export const inputKey = ({ taskId }: Pick<Task, 'taskId'>, position: number, extension: string): string =>
  `${inputsFolder(taskId)}${position}.${extension}`;

/** The key of the copy of a video that is too large to be copied by one step. */
export const sourceKey = (taskId: string): string => `${inputsFolder(taskId)}source.mp4`;

/** Which result of the task a file is, and which attempt at storing the results it belongs to. */
export interface ResultPlace {
  readonly position: number;
  /** A random part of the key, so that an attempt that ends late never replaces files of another attempt. */
  readonly attempt: string;
}

export const resultKey = (
  task: Pick<Task, 'taskId' | 'resultsSecret'>,
  { position, attempt }: ResultPlace,
  extension: string,
): string => `${resultsFolder(task)}${position}-${attempt}.${extension}`;
