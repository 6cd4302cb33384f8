/** The steps on the way of a task from its creation to its end, and what a kill at each leaves and comes to. */
import { type CrashStep, due, kill } from './crash-step.ts';
import {
  answers,
  commits,
  downloads,
  ends,
  finalizes,
  keepsOutcome,
  keepsReference,
  keepsToken,
  requests,
  signals,
  starts,
  stores,
  submits,
} from './passage.ts';

const completed = { status: 'completed', webhook: 'delivered', ledger: [-1], attempts: ['delivered'] } as const;
const refunded = { ...completed, status: 'failed', ledger: [-1, 1] } as const;
const open = { tasks: 1, slots: 1, ledger: [-1], attempts: [], posts: 0 } as const;
const over = { tasks: 1, slots: 0, status: 'completed', ledger: [-1], webhook: 'pending' } as const;
const unstarted = { ...open, status: 'pending', job: [], submissions: 0 } as const;

const creation: CrashStep[] = [
  {
    name: 'in creation, before the commit',
    kills: [kill(commits, 'before', due)],
    isRepeatedAtOnce: true,
    leaves: { tasks: 0, slots: 0, ledger: [] },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'in creation, after the commit and before the start',
    kills: [kill(commits, 'after', due)],
    leaves: unstarted,
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'in creation, after the commit, when the back end repeats its request before anything is swept',
    kills: [kill(commits, 'after', { sweeps: 'nothing' })],
    isRepeatedAtOnce: true,
    leaves: unstarted,
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'in creation, after the start',
    kills: [kill(starts, 'after')],
    leaves: open,
    ends: { ...completed, posts: 1 },
  },
  {
    name: 'in creation, when all is done and nothing is answered',
    kills: [kill(answers, 'after')],
    leaves: open,
    ends: { ...completed, posts: 1 },
  },
];

const asking: CrashStep[] = [
  {
    name: 'in asking, before the token is kept',
    kills: [kill(keepsToken, 'before')],
    leaves: unstarted,
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'in asking, once the token is kept',
    kills: [kill(keepsToken, 'after')],
    leaves: { ...unstarted, job: ['token'] },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'in asking, before the engine is asked',
    kills: [kill(submits, 'before')],
    leaves: { ...unstarted, job: ['token'] },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'in asking, when the engine has accepted and its reference is not kept',
    kills: [kill(submits, 'after')],
    leaves: { ...unstarted, job: ['token'], submissions: 1 },
    ends: { ...completed, submissions: 2, posts: 1 },
  },
  {
    name: 'in asking, once the reference is kept',
    kills: [kill(keepsReference, 'after')],
    leaves: { ...open, status: 'pending', job: ['token', 'reference'], submissions: 1 },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'in asking, once the reference is kept of a job that the engine forgets',
    kills: [kill(keepsReference, 'after')],
    engine: 'forgets',
    leaves: { ...open, status: 'pending', job: ['token', 'reference'], submissions: 1 },
    ends: { ...completed, submissions: 2, posts: 1 },
  },
  {
    name: 'in asking, together with the engine that has the job',
    kills: [kill(keepsReference, 'after')],
    engine: 'own',
    leaves: { ...open, status: 'pending', job: ['token', 'reference'] },
    ends: { ...completed, posts: 1 },
  },
  {
    name: 'in asking, before the answer of an asked engine is kept',
    kills: [kill(keepsOutcome, 'before')],
    engine: 'is asked',
    leaves: { ...open, status: 'processing', job: ['token', 'reference'] },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'in asking, when the outcome that the engine called back with is kept and nobody told',
    kills: [kill(keepsOutcome, 'after')],
    leaves: { ...open, status: 'processing', job: ['token', 'reference', 'outcome'], stored: 0 },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
];

const finalizing: CrashStep[] = [
  {
    name: 'in finalizing, when the workflow has just been told of the outcome',
    kills: [kill(signals, 'after')],
    leaves: { ...open, status: 'processing', job: ['token', 'reference', 'outcome'] },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'in finalizing, before the result is downloaded',
    kills: [kill(downloads, 'before')],
    leaves: { ...open, status: 'processing', stored: 0 },
    ends: { ...completed, stored: 1, submissions: 1, posts: 1 },
  },
  {
    name: 'in finalizing, when the result is downloaded and not stored',
    kills: [kill(stores, 'before')],
    leaves: { ...open, status: 'processing', stored: 0 },
    ends: { ...completed, stored: 1, submissions: 1, posts: 1 },
  },
  {
    name: 'in finalizing, when the result is stored and the task not over',
    kills: [kill(ends, 'before')],
    leaves: { ...open, status: 'processing', stored: 1 },
    ends: { ...completed, stored: 2, submissions: 1, posts: 1 },
  },
  {
    name: 'in finalizing, after the transaction that ends the task',
    kills: [kill(ends, 'after', due)],
    leaves: { ...over, stored: 1, attempts: [], posts: 0 },
    ends: { ...completed, stored: 1, posts: 1 },
  },
  {
    name: 'in finalizing, when the task is over and the delivery is not requested',
    kills: [kill(requests(1), 'before', due)],
    leaves: { ...over, stored: 1, attempts: [], posts: 0 },
    ends: { ...completed, stored: 1, posts: 1 },
  },
  {
    // The delivery is under way by then, and may have come to any of its steps.
    name: 'in finalizing, when it is through and the workflow has not heard of it',
    kills: [kill(finalizes, 'after', due)],
    leaves: { tasks: 1, slots: 0, status: 'completed', ledger: [-1], stored: 1 },
    ends: { status: 'completed', webhook: 'delivered', ledger: [-1], stored: 1 },
  },
  {
    name: 'in finalizing, before a failed task is refunded',
    kills: [kill(ends, 'before')],
    engine: 'fails',
    leaves: { ...open, status: 'processing', job: ['token', 'reference', 'outcome'] },
    ends: { ...refunded, submissions: 1, posts: 1 },
  },
  {
    name: 'in finalizing, after a failed task was refunded',
    kills: [kill(ends, 'after', due)],
    engine: 'fails',
    leaves: { ...over, status: 'failed', ledger: [-1, 1], attempts: [], posts: 0 },
    ends: { ...refunded, submissions: 1, posts: 1 },
  },
];

export const taskSteps: readonly CrashStep[] = [...creation, ...asking, ...finalizing];
