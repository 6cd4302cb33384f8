/**
 * The indexes of the table: the attributes that form their keys, and the partition of each list.
 *
 * The indexes are keys-only. All except `byDelivery` and `open` sort by id, which means by creation time. Every
 * combination of filters for tasks has its own index, so that no list has to skip tasks that do not match. `byDelivery`
 * contains ended tasks with a webhook, with failed webhooks at the end; an entry moves only when a webhook fails or a
 * failed one is sent again. `open` is sparse: it contains what awaits a next step, such as open tasks, closed accounts
 * and pending orders, most of it by the time of that step. `byFailure` is sparse, too: it contains the failed tasks of all
 * accounts by the day of their end, and the last attempts of failed webhooks by the day of the attempt.
 */
import { createHash } from 'node:crypto';
import type { TaskType } from '../contracts/task-types.ts';
import { primaryKey } from './keys.ts';

/**
 * The key attributes of each index. Indexes without a sort attribute of their own sort by the table's partition key.
 */
export const indexes = {
  byOwner: { pk: 'byOwnerPk', sk: 'byOwnerSk' },
  byType: { pk: 'byTypePk', sk: primaryKey.pk },
  byReference: { pk: 'byReferencePk', sk: primaryKey.pk },
  byTypeAndReference: { pk: 'byTypeAndReferencePk', sk: primaryKey.pk },
  byState: { pk: 'byStatePk', sk: primaryKey.pk },
  byTypeAndState: { pk: 'byTypeAndStatePk', sk: primaryKey.pk },
  byReferenceAndState: { pk: 'byReferenceAndStatePk', sk: primaryKey.pk },
  byTypeAndReferenceAndState: { pk: 'byTypeAndReferenceAndStatePk', sk: primaryKey.pk },
  byDelivery: { pk: 'byOwnerPk', sk: 'byDeliverySk' },
  open: { pk: 'openPk', sk: 'openSk' },
  byFailure: { pk: 'byFailurePk', sk: primaryKey.pk },
  byHandle: { pk: 'byHandlePk', sk: 'byHandleSk' },
  byAlias: { pk: 'byAliasPk', sk: 'byAliasSk' },
} as const;

export type IndexName = keyof typeof indexes;

export const accountsOwner = 'ACCOUNTS' as const;
export const tokensOwner = (accountId: string) => `TOKENS#${accountId}` as const;
export const sessionsOwner = (accountId: string) => `SESSIONS#${accountId}` as const;
/** Views of an account by operators, which are no sessions of its owner. */
export const viewsOwner = (accountId: string) => `${sessionsOwner(accountId)}#VIEWS` as const;
/** Sessions of the operator with an e-mail address. */
export const operatorSessionsOwner = (email: string) => `OPERATOR-SESSIONS#${email.toLowerCase()}` as const;
export const identitiesOwner = (accountId: string) => `IDENTITIES#${accountId}` as const;
export const filesOwner = (accountId: string) => `FILES#${accountId}` as const;
export const avatarsOwner = (accountId: string) => `AVATARS#${accountId}` as const;
/** The sources of avatars, whose ids are reserved before an avatar is created. */
export const avatarOriginsOwner = (accountId: string) => `${avatarsOwner(accountId)}#ORIGINS` as const;
/** Accounts that are being closed, in the index `open`, by the time of the next step. */
export const openClosures = 'OPEN-CLOSURES' as const;
/** Exports in the index `open`: by when they are made next, or their archive is deleted. */
export const openExports = 'OPEN-EXPORTS' as const;
export const tasksOwner = (accountId: string) => `TASKS#${accountId}` as const;

/** The prefix of failed webhooks in the index `byDelivery`; it sorts after all others. */
export const failedDeliveryPrefix = '1';

/** The sort key of an ended task with a webhook in the index `byDelivery`. */
export const deliveryOrder = (taskId: string, status: string): string =>
  `${status === 'failed' ? failedDeliveryPrefix : '0'}${taskId}`;

export const ordersOwner = (accountId: string) => `ORDERS#${accountId}` as const;
/** An account's orders with one status, in the index `byState`. */
export const ordersInStatus = (accountId: string, status: string) => `${ordersOwner(accountId)}#${status}` as const;
/** Orders that wait for their payment, in the index `open`. */
export const pendingOrders = 'OPEN-ORDERS' as const;

/** Cases that wait for an operator, in the index `open`. */
export const openCases = 'OPEN-CASES' as const;

/** Subscriptions that must be checked at some time, in the index `open`. */
export const openSubscriptions = 'OPEN-SUBSCRIPTIONS' as const;

/** A time as a text that sorts in the order of time: milliseconds have 13 digits until the year 2286. */
export const checkTime = (at: number): string => String(at).padStart(13, '0');

/** The filters of a task list. A state can be combined with other filters only for ended tasks. */
export interface TaskList {
  readonly taskType?: TaskType | undefined;
  readonly clientReference?: string | undefined;
  readonly state?: 'open' | 'completed' | 'failed' | undefined;
}

/** References are arbitrary text of up to 128 characters; the digest limits the size of index entries. */
const referenceDigest = (reference: string): string => createHash('sha256').update(reference).digest('base64url');

/** The index and partition that contain exactly the tasks of a list. */
export function taskList(accountId: string, { taskType, clientReference, state }: TaskList) {
  const narrowings = [
    ...(taskType === undefined ? [] : [['Type', taskType] as const]),
    ...(clientReference === undefined ? [] : [['Reference', referenceDigest(clientReference)] as const]),
    ...(state === undefined ? [] : [['State', state] as const]),
  ];
  const index = `by${narrowings.map(([name]) => name).join('And') || 'Owner'}` as Exclude<
    IndexName,
    'byDelivery' | 'open' | 'byFailure' | 'byHandle' | 'byAlias'
  >;
  return { index, pk: [tasksOwner(accountId), ...narrowings.map(([, value]) => value)].join('#') } as const;
}

/** The attributes that put a task into lists; every list but `byOwner` sorts by the task's own key. */
export const inTaskLists = (accountId: string, lists: readonly TaskList[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lists.map((list) => {
      const { index, pk } = taskList(accountId, list);
      return [indexes[index].pk, pk];
    }),
  );

/** The number of partitions that open tasks are spread over, because every task passes through the index. */
const openShards = 8;
const openShard = (shard: number) => `OPEN#${shard}` as const;

const shardOf = (taskId: string): number => Number.parseInt(taskId.slice(-4), 16) % openShards;

export const openShardOf = (taskId: string) => openShard(shardOf(taskId));
export const allOpenShards = Array.from({ length: openShards }, (_, shard) => openShard(shard));

/** Failed tasks are spread over as many partitions as open ones, because all tasks fail while an engine is down. */
const failureShard = (day: string, shard: number) => `FAILED#${day}#${shard}` as const;

export const failureShardOf = (taskId: string, day: string) => failureShard(day, shardOf(taskId));
export const failureShardsOf = (day: string) =>
  Array.from({ length: openShards }, (_, shard) => failureShard(day, shard));

const failedWebhookShard = (day: string, shard: number) => `FAILED-WEBHOOKS#${day}#${shard}` as const;

export const failedWebhookShardOf = (taskId: string, day: string) => failedWebhookShard(day, shardOf(taskId));
export const failedWebhookShardsOf = (day: string) =>
  Array.from({ length: openShards }, (_, shard) => failedWebhookShard(day, shard));

/** Ended tasks of which parts are erased at a time, in the index `open`, apart from tasks that await something sooner. */
const retainedShard = (shard: number) => `RETAINED#${shard}` as const;

export const retainedShardOf = (taskId: string) => retainedShard(shardOf(taskId));
export const allRetainedShards = () => Array.from({ length: openShards }, (_, shard) => retainedShard(shard));

export const ownerOfToken = (owner: unknown): string => String(owner).slice('TOKENS#'.length);
/** The account of a session or view. */
export const ownerOfSession = (owner: unknown): string => String(owner).split('#')[1] ?? '';
