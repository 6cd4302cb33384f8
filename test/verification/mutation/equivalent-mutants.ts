/** Mutants that no test can distinguish from the product, each with the reason. */
import { equivalentEngineJobMutants } from './equivalent-engine-job-mutants.ts';

export interface EquivalentMutant {
  readonly file: string;
  /** The line on which it begins, without its indentation. */
  readonly code: string;
  /** What the mutant has in place of the product's code. */
  readonly replacement: string;
  readonly reason: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: 'shared/domain/accounts/account-store.ts',
    code: 'features: z.array(z.string()).default([]),',
    replacement: '["Stryker was here"]',
    reason: 'A feature that this release does not know entitles to nothing.',
  },
  {
    file: 'shared/domain/accounts/account-store.ts',
    code: "ExpressionAttributeValues: { ':pk': accountsOwner, ':after': after || ' ' },",
    replacement: '""',
    reason:
      'DynamoDB rejects an empty value of a key; the local database sorts it before every id, as it does a space.',
  },
  {
    file: 'shared/domain/accounts/ledger-store.ts',
    code: "ExpressionAttributeValues: { ':pk': ledgerKey(accountId, '').pk },",
    replacement: '"Stryker was here!"',
    reason: 'Only the partition of this key is used; its sort key is never read.',
  },
  {
    file: 'shared/domain/accounts/ledger-store.ts',
    code: "ExpressionAttributeValues: { ':pk': ledgerKey(accountId, '').pk, ':after': after, ':before': before },",
    replacement: '"Stryker was here!"',
    reason: 'Only the partition of this key is used; its sort key is never read.',
  },
  {
    file: 'shared/domain/accounts/ledger-store.ts',
    code: "ExpressionAttributeValues: { ':pk': ledgerKey(accountId, '').pk, ':through': through },",
    replacement: '"Stryker was here!"',
    reason: 'Only the partition of this key is used; its sort key is never read.',
  },
  {
    file: 'shared/domain/accounts/ledger-store.ts',
    code: "return (await count(accountId, nothingCounted, '')).counted.sum;",
    replacement: '"Stryker was here!"',
    reason: 'Only the settled part depends on it, which is not read here.',
  },
  {
    file: 'shared/domain/accounts/reconcile-account.ts',
    code: "const before = await ledger.count(accountId, nothingCounted, '');",
    replacement: '"Stryker was here!"',
    reason: 'Only the settled part depends on it, which is not read here.',
  },
  {
    file: 'shared/domain/accounts/reconcile-account.ts',
    code: "const after = await ledger.count(accountId, nothingCounted, '');",
    replacement: '"Stryker was here!"',
    reason: 'Only the settled part depends on it, which is not read here.',
  },
  {
    file: 'shared/domain/accounts/reconcile-account.ts',
    code: 'for (const taskId of account ? await driftingSlots(stores, account) : []) {',
    replacement: '["Stryker was here"]',
    reason: 'No account is ever deleted: one whose balance was read has a row; the comparison satisfies the type.',
  },
  {
    file: 'shared/domain/accounts/reconcile-account.ts',
    code: 'const isStale = account?.openTasks.includes(taskId);',
    replacement: 'account.openTasks',
    reason: 'Slots drift only in an account that was found; the type does not know.',
  },
  {
    file: 'shared/domain/billing/cases/payment-cases.ts',
    code: 'const isNew = !last || (last.endedAt !== undefined && last.endedAt < changedAt);',
    replacement: 'true',
    reason: 'No time is later than an end that is undefined; the comparison satisfies the type.',
  },
  ...equivalentEngineJobMutants,
  {
    file: 'shared/domain/generation/commit-task.ts',
    code: "return shortage && { status: 'short', shortage, account: found };",
    replacement: '""',
    reason: 'Whatever is neither `made` nor `known` is short of something.',
  },
  {
    file: 'shared/domain/generation/request-generation.ts',
    code: '...(clientReference !== undefined && { clientReference }),',
    replacement: 'true',
    reason: 'The table’s client drops undefined values; the condition only satisfies the type, which forbids them.',
  },
  {
    file: 'shared/domain/generation/request-generation.ts',
    code: '...(inspected !== undefined && { derived: inspected as Readonly<Record<string, unknown>> }),',
    replacement: 'true',
    reason: 'The table’s client drops undefined values; the condition only satisfies the type, which forbids them.',
  },
  {
    file: 'shared/domain/idempotency/idempotency-claim.ts',
    code: "if (Number(item.leaseUntil) > now) return { status: 'in-progress' };",
    replacement: '{}',
    reason: 'Whatever is none of the other outcomes is waited for.',
  },
  {
    file: 'shared/domain/idempotency/idempotency-claim.ts',
    code: "if (Number(item.leaseUntil) > now) return { status: 'in-progress' };",
    replacement: '""',
    reason: 'Whatever is none of the other outcomes is waited for.',
  },
  {
    file: 'shared/domain/idempotency/idempotency-claim.ts',
    code: "if (!(await takeOver(table, scope, item.claimedBy, owner, now))) return { status: 'in-progress' };",
    replacement: '{}',
    reason: 'Whatever is none of the other outcomes is waited for.',
  },
  {
    file: 'shared/domain/idempotency/idempotency-claim.ts',
    code: "if (!(await takeOver(table, scope, item.claimedBy, owner, now))) return { status: 'in-progress' };",
    replacement: '""',
    reason: 'Whatever is none of the other outcomes is waited for.',
  },
  {
    file: 'shared/domain/idempotency/run-once.ts',
    code: "await releaseClaim(table, claim, isUndone ? 'frees-key' : 'keeps-outside-key');",
    replacement: '""',
    reason: 'Only `frees-key` is distinguished from other values.',
  },
  {
    file: 'shared/domain/idempotency/run-once.ts',
    code: "await releaseClaim(needs.table, claim, work.isRepeatable ? 'frees-key' : 'keeps-outside-key');",
    replacement: '""',
    reason: 'Only `frees-key` is distinguished from other values.',
  },
  {
    file: 'shared/domain/idempotency/run-once.ts',
    code: "if (!written) throw new Error('nothing precedes these writes');",
    replacement: 'false',
    reason: 'Nothing that precedes these writes can fail, because nothing does; the comparison satisfies the type.',
  },
  {
    file: 'shared/domain/idempotency/run-once.ts',
    code: "if (!written) throw new Error('nothing precedes these writes');",
    replacement: '""',
    reason: 'Nothing that precedes these writes can fail, because nothing does; the comparison satisfies the type.',
  },
  {
    file: 'shared/domain/piloto/conversations/conversation.ts',
    code: 'one.createdAt === other.createdAt ? one.messageId > other.messageId : one.createdAt > other.createdAt;',
    replacement: 'one.createdAt >= other.createdAt',
    reason: 'Only different times are compared here.',
  },
  {
    file: 'shared/domain/piloto/conversations/conversation.ts',
    code: 'export const laterStatus = (one: Status, other: Status): Status => (ranks[one] >= ranks[other] ? one : other);',
    replacement: 'ranks[one] > ranks[other]',
    reason: 'No two states have the same rank.',
  },
  {
    file: 'shared/domain/piloto/comments/post.ts',
    code: 'const parent = change.rows.get(parentId) ?? (count > 0 ? newCommentRow(parentId) : undefined);',
    replacement: 'count >= 0',
    reason: 'The count is 1 or -1.',
  },
  {
    file: 'shared/domain/tasks/task-item.ts',
    code: "listsOf(task).map((list) => ({ ...list, state: to === 'completed' ? to : 'failed' })),",
    replacement: 'true',
    reason: 'A task ends as completed or as failed; the comparison satisfies the type.',
  },
  {
    file: 'shared/domain/tasks/task-item.ts',
    code: 'return clientReference === undefined ? lists : [...lists, { clientReference }, { taskType, clientReference }];',
    replacement: 'false',
    reason: 'A list that an undefined reference narrows is the list without it.',
  },
  {
    file: 'shared/domain/tasks/task-item.ts',
    code: "[indexes.byDelivery.sk]: deliveryOrder(task.taskId, 'pending'),",
    replacement: '""',
    reason: 'Only `failed` is distinguished from other values.',
  },
  {
    file: 'shared/domain/tasks/task-item.ts',
    code: "const taskType = z.custom<TaskType>((value) => typeof value === 'string' && isTaskType(value));",
    replacement: 'true',
    reason: 'Nothing but a text is the name of a type; the comparison satisfies the compiler.',
  },
  {
    file: 'shared/domain/tasks/task-store.ts',
    code: "':order': deliveryOrder(taskId, 'pending'),",
    replacement: '""',
    reason: 'Only `failed` is distinguished from other values.',
  },
  {
    file: 'shared/domain/tasks/video-promise.ts',
    code: 'Math.abs(measured / expected - 1) <= tolerance;',
    replacement: 'Math.abs(measured / expected - 1) < tolerance',
    reason: 'No difference of a quotient from 1 is exactly 0.04 or 0.2: these have digits that it cannot have.',
  },
  {
    file: 'shared/domain/tokens/active-tokens.ts',
    code: "ExpressionAttributeValues: { ':pk': tokensOwner(accountId), ...(tokenId !== undefined && { ':sk': tokenId }) },",
    replacement: 'true',
    reason: 'The table’s client drops an undefined value; the comparison satisfies the type.',
  },
  {
    file: 'shared/domain/tokens/active-tokens.ts',
    code: 'const batches = Array.from({ length: Math.ceil(digests.length / batchSize) }, (_, position) =>',
    replacement: 'digests.length * batchSize',
    reason: 'A batch without keys finds nothing and costs no request.',
  },
  {
    file: 'shared/domain/tokens/token.ts',
    code: "return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';",
    replacement: 'true',
    reason: 'No expiry that is undefined is over; the comparison satisfies the type.',
  },
  {
    file: 'shared/domain/tokens/token-store.ts',
    code: 'if (expired.length > removedAtOnce) {',
    replacement: 'expired.length >= removedAtOnce',
    reason: 'It saves a request: tokens that are removed before the addition make the same room.',
  },
  {
    file: 'shared/domain/tokens/token-store.ts',
    code: 'return rows.map(toListed).toSorted((one, other) => (one.tokenId < other.tokenId ? 1 : -1));',
    replacement: 'one.tokenId <= other.tokenId',
    reason: 'No two tokens have the same id.',
  },
  {
    file: 'shared/domain/webhooks/delivery-slots.ts',
    code: 'return true;',
    replacement: 'false',
    reason: 'It saves a request: a lease that has been dropped can be dropped again.',
  },
  {
    file: 'shared/domain/webhooks/delivery-slots.ts',
    code: 'if (!isRecorded) await dropLeases(table, key, [lease]);',
    replacement: 'true',
    reason: 'It saves a request: a lease that has been dropped can be dropped again.',
  },
  {
    file: 'shared/domain/webhooks/list-deliveries.ts',
    code: 'const batches = Array.from({ length: Math.ceil(keys.length / batchSize) }, (_, position) =>',
    replacement: 'keys.length * batchSize',
    reason: 'A batch without keys finds nothing and costs no request.',
  },
  {
    file: 'shared/domain/task-lifecycle/redeliver-webhook.ts',
    code: 'if (attempt > deliveryAttemptsLimit) {',
    replacement: 'attempt >= deliveryAttemptsLimit',
    reason: 'The limit is the last attempt of a series, and this is the first of one.',
  },
  {
    file: 'shared/platform/dial-address.ts',
    code: 'export const connectTcp: Connect = ({ address, port }) => openSocket({ host: address, port, noDelay: true });',
    replacement: 'false',
    reason: 'Delaying small packets affects speed alone.',
  },
  {
    file: 'shared/platform/url-policy.ts',
    code: String.raw`const THIS_MACHINE = /^(?:127\.0\.0\.1|localhost):\d+$/iu;`,
    replacement: String.raw`/^(?:127\.0\.0\.1|localhost):\d+/iu`,
    reason: 'A parsed URL has only digits in its port, so nothing can follow them.',
  },
];
