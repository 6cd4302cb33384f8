/** A task: what it is, which states it may pass through and what becomes of it in each. */
import type { TaskErrorCode } from '../../contracts/errors.ts';
import { generationOf } from '../../contracts/generate.ts';
import type { TaskType } from '../../contracts/task-types.ts';
import type { TaskStatus } from '../../contracts/tasks.ts';
import type { WebhookStatus } from '../../contracts/webhook-statuses.ts';
import type { ClipFacts } from '../../contracts/workflow.ts';
import type { VideoPromise } from './video-promise.ts';

/** A result as stored: its address is made when it is read, from where results are served then. */
export interface StoredResult {
  readonly key: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly width?: number;
  readonly height?: number;
  readonly durationSec?: number;
  /** The key of an image of the video. */
  readonly posterKey?: string;
  /** What its engine says of it; only of clips. */
  readonly clip?: ClipFacts;
}

export interface Task {
  readonly taskId: string;
  readonly accountId: string;
  /** The token that created it: its webhook carries that token's secret. */
  readonly tokenId: string;
  readonly taskType: TaskType;
  readonly status: TaskStatus;
  readonly progress: number;
  readonly cost: number;
  readonly input: Readonly<Record<string, unknown>>;
  readonly engine: string;
  /** The id of the engine's route that was chosen when the task was created. */
  readonly route: string;
  /** Facts derived from the input, for the engine. */
  readonly derived?: Readonly<Record<string, unknown>>;
  /** The seconds of input files that the cost was based on, by field. */
  readonly measuredSeconds?: Readonly<Record<string, number>>;
  /** The video that it must result in; another one fails the task. */
  readonly promise?: VideoPromise;
  readonly createdAt: number;
  /** When a task that is still open fails with PROVIDER_TIMEOUT. */
  readonly deadlineAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly errorCode?: TaskErrorCode;
  /** Takes the place of the code's message: `imageUrl must be a PNG file, not GIF`. */
  readonly errorDetail?: string;
  readonly results?: readonly StoredResult[];
  /** Keeps the results' address unguessable, and the same however often they are copied. */
  readonly resultsSecret: string;
  readonly callbackUrl?: string;
  readonly webhookStatus?: WebhookStatus;
  /** The first attempt of the series of deliveries in force; a later series makes the earlier one's messages void. */
  readonly webhookFrom?: number;
  readonly clientReference?: string;
  /** The influencer that the task makes; it exists when the task is completed. */
  readonly influencerId?: string;
}

/** A transition of a task's state; it succeeds only from one of `from`, no matter who attempts it or how often. */
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

export const isTerminal = (task: Pick<Task, 'status'>): boolean =>
  task.status === 'completed' || task.status === 'failed';

/** Where an engine's report moves a task. */
export function transitionOn(event: 'accepted' | 'running', taskType: TaskType): Transition {
  return generationOf(taskType).showsSubmitted && event === 'accepted' ? transitions.submitted : transitions.processing;
}

export const deadlineOf = (taskType: TaskType, createdAt: number, limitSeconds?: number): number =>
  createdAt + (limitSeconds ?? generationOf(taskType).timeLimitSeconds) * 1000;

/** How long after a task's end an undelivered webhook is checked. */
export const deliveryCheckMs = 30_000;

/** The workflow ends an overdue task itself; this much later the sweeper does. */
export const overdueMs = 60_000;

export const refundOf = (task: Pick<Task, 'status' | 'cost'>): number => (task.status === 'failed' ? task.cost : 0);

/** Where the copy of an input is stored while the task is in progress. */
export const inputKey = (task: Pick<Task, 'taskId'>, position: number, extension: string): string =>
  `inputs/${task.taskId}/${position}.${extension}`;

export const resultKey = (task: Pick<Task, 'taskId' | 'resultsSecret'>, position: number, extension: string): string =>
  `results/${task.taskId}-${task.resultsSecret}/${position}.${extension}`;
