/** The steps of deliveries, cancellations and sweeps, with the expected traces after a kill at each, and at the end. */
import { type CrashStep, completed, due, kill, open, over, refunded, unstarted } from './crash-step.ts';
import {
  claims,
  commits,
  delivers,
  ends,
  enqueues,
  posts,
  records,
  setsNextCheck,
  settles,
  starts,
} from './service-call.ts';

const interrupted = { ...completed, attempts: ['interrupted', 'delivered'] } as const;

/** A time after the deadline of a voice task, and after the workflow has noticed it. */
const overdueMs = 12 * 60_000;

const delivery: CrashStep[] = [
  {
    name: 'after a worker receives the webhook message',
    kills: [kill(delivers, 'before', due)],
    leaves: { ...over, attempts: [], posts: 0 },
    ends: { ...completed, posts: 1 },
  },
  {
    name: 'after a worker connects to the receiver but before it claims the delivery',
    kills: [kill(claims(1), 'before', due)],
    leaves: { ...over, attempts: [], posts: 0 },
    ends: { ...completed, posts: 1 },
  },
  {
    name: 'after a worker claims the delivery but before it posts the webhook',
    kills: [kill(claims(1), 'after', due)],
    leaves: { ...over, attempts: ['under way'], posts: 0 },
    ends: { ...interrupted, posts: 1 },
  },
  {
    name: 'after a worker claims the delivery, and restarts before the claim expires',
    kills: [kill(claims(1), 'after', { awayMs: 25_000 })],
    leaves: { ...over, attempts: ['under way'], posts: 0 },
    ends: { ...interrupted, posts: 1 },
  },
  {
    name: 'after the webhook is posted but before the response is recorded',
    kills: [kill(posts, 'after', due)],
    leaves: { ...over, attempts: ['under way'], posts: 1 },
    ends: { ...interrupted, posts: 2 },
  },
  {
    name: 'after the successful delivery is recorded',
    kills: [kill(records(1), 'after', due)],
    leaves: { ...over, attempts: ['delivered'], posts: 1 },
    ends: { ...completed, posts: 1 },
  },
  {
    name: 'before the webhook message is deleted',
    kills: [kill(settles, 'after', due)],
    leaves: { ...over, webhook: 'delivered', attempts: ['delivered'], posts: 1 },
    ends: { ...completed, posts: 1 },
  },
  {
    name: 'after a failed delivery is recorded but before the next attempt is enqueued',
    kills: [kill(enqueues(2), 'before', due)],
    rejectedPosts: 1,
    leaves: { ...over, attempts: ['failed'], posts: 1 },
    ends: { ...completed, attempts: ['failed', 'delivered'], posts: 2 },
  },
  {
    name: 'in each of the first two delivery attempts',
    kills: [kill(posts, 'before', due), kill(posts, 'before', due)],
    leaves: { ...over, attempts: ['interrupted', 'under way'], posts: 0 },
    ends: { ...completed, attempts: ['interrupted', 'interrupted', 'delivered'], posts: 1 },
  },
];

const cancel: CrashStep[] = [
  {
    name: 'before the transaction that cancels the task',
    kills: [kill(ends, 'before')],
    engine: 'never ends',
    isCanceled: true,
    leaves: { ...open, status: 'processing' },
    // The back end retries the request, because there was no response.
    ends: { ...refunded, posts: 1 },
  },
  {
    name: 'after the task is canceled but before its webhook is enqueued',
    kills: [kill(ends, 'after', due)],
    engine: 'never ends',
    isCanceled: true,
    leaves: { ...over, status: 'failed', ledger: [-1, 1], attempts: [], posts: 0 },
    ends: { ...refunded, posts: 1 },
  },
];

const sweeping: CrashStep[] = [
  {
    name: 'before the sweeper starts a missing execution',
    kills: [kill(commits, 'after', due), kill(starts, 'before', due)],
    leaves: unstarted,
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'after the sweeper starts a missing execution but before it records this',
    kills: [kill(commits, 'after', due), kill(setsNextCheck, 'before')],
    leaves: open,
    ends: { ...completed, posts: 1 },
  },
  {
    name: 'before the sweeper fails an overdue task',
    kills: [kill(commits, 'after', { ...due, awayMs: overdueMs }), kill(ends, 'before', due)],
    leaves: unstarted,
    ends: { ...refunded, submissions: 0, posts: 1 },
  },
  {
    name: 'after the sweeper fails an overdue task but before the webhook is enqueued',
    kills: [kill(commits, 'after', { ...due, awayMs: overdueMs }), kill(ends, 'after', due)],
    leaves: { ...over, status: 'failed', ledger: [-1, 1], attempts: [], posts: 0 },
    ends: { ...refunded, submissions: 0, posts: 1 },
  },
  {
    name: 'before the sweeper enqueues a webhook again',
    kills: [kill(ends, 'after', due), kill(enqueues(1), 'before', due)],
    leaves: { ...over, attempts: [], posts: 0 },
    ends: { ...completed, posts: 1 },
  },
  {
    name: 'after the sweeper enqueues a webhook again but before it records this',
    kills: [kill(ends, 'after', due), kill(setsNextCheck, 'before', due)],
    leaves: { ...over },
    ends: { ...completed, posts: 1 },
  },
];

export const webhookSteps: readonly CrashStep[] = [...delivery, ...cancel, ...sweeping];
