/** The steps of a task from its creation to its end, with the expected traces after a kill at each, and at the end. */
import { type CrashStep, completed, due, kill, open, over, refunded, unstarted } from './crash-step.ts';
import {
  commits,
  downloads,
  ends,
  enqueues,
  finalizes,
  responds,
  signals,
  starts,
  storesOutcome,
  storesReference,
  storesResult,
  storesToken,
  submits,
} from './service-call.ts';

const creation: CrashStep[] = [
  {
    name: 'before the task is created',
    kills: [kill(commits, 'before', due)],
    isRepeatedAtOnce: true,
    leaves: { tasks: 0, slots: 0, ledger: [] },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'after the task is created but before its execution starts',
    kills: [kill(commits, 'after', due)],
    leaves: unstarted,
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'after the task is created, and the client repeats its request before the next sweep',
    kills: [kill(commits, 'after', { sweeps: 'nothing' })],
    isRepeatedAtOnce: true,
    leaves: unstarted,
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'after the execution of the task starts',
    kills: [kill(starts, 'after')],
    leaves: open,
    ends: { ...completed, posts: 1 },
  },
  {
    name: 'before the response of its creation is sent',
    kills: [kill(responds, 'after')],
    leaves: open,
    ends: { ...completed, posts: 1 },
  },
];

const asking: CrashStep[] = [
  {
    name: 'before the task token of the submission is stored',
    kills: [kill(storesToken, 'before')],
    leaves: unstarted,
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'after the task token of the submission is stored',
    kills: [kill(storesToken, 'after')],
    leaves: { ...unstarted, job: ['token'] },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'before the engine is called',
    kills: [kill(submits, 'before')],
    leaves: { ...unstarted, job: ['token'] },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'after the engine accepts the job but before its reference is stored',
    kills: [kill(submits, 'after')],
    leaves: { ...unstarted, job: ['token'], submissions: 1 },
    ends: { ...completed, submissions: 2, posts: 1 },
  },
  {
    name: 'after the reference of the job is stored',
    kills: [kill(storesReference, 'after')],
    leaves: { ...open, status: 'pending', job: ['token', 'reference'], submissions: 1 },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'after the reference of a job is stored that the engine then loses',
    kills: [kill(storesReference, 'after')],
    engine: 'forgets',
    leaves: { ...open, status: 'pending', job: ['token', 'reference'], submissions: 1 },
    ends: { ...completed, submissions: 2, posts: 1 },
  },
  {
    name: 'together with the engine that has accepted the job',
    kills: [kill(storesReference, 'after')],
    engine: 'own',
    // The engine may already have reported that it is working on the job.
    leaves: { ...open, job: ['token', 'reference'] },
    ends: { ...completed, posts: 1 },
  },
  {
    name: 'while polling, before the outcome of the job is stored',
    kills: [kill(storesOutcome, 'before')],
    engine: 'is polled',
    leaves: { ...open, status: 'processing', job: ['token', 'reference'] },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'after the outcome of a callback is stored but before the workflow is notified',
    kills: [kill(storesOutcome, 'after')],
    leaves: { ...open, status: 'processing', job: ['token', 'reference', 'outcome'], stored: 0 },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
];

const finalizing: CrashStep[] = [
  {
    name: 'after the workflow is notified of the outcome',
    kills: [kill(signals, 'after')],
    leaves: { ...open, status: 'processing', job: ['token', 'reference', 'outcome'] },
    ends: { ...completed, submissions: 1, posts: 1 },
  },
  {
    name: 'before the result is downloaded',
    kills: [kill(downloads, 'before')],
    leaves: { ...open, status: 'processing', stored: 0 },
    ends: { ...completed, stored: 1, submissions: 1, posts: 1 },
  },
  {
    name: 'after the result is downloaded but before it is stored',
    kills: [kill(storesResult, 'before')],
    leaves: { ...open, status: 'processing', stored: 0 },
    ends: { ...completed, stored: 1, submissions: 1, posts: 1 },
  },
  {
    name: 'after the result is stored but before the task is completed',
    kills: [kill(ends, 'before')],
    leaves: { ...open, status: 'processing', stored: 1 },
    ends: { ...completed, stored: 2, submissions: 1, posts: 1 },
  },
  {
    name: 'after the task is completed',
    kills: [kill(ends, 'after', due)],
    leaves: { ...over, stored: 1, attempts: [], posts: 0 },
    ends: { ...completed, stored: 1, posts: 1 },
  },
  {
    name: 'after the task is completed but before its webhook is enqueued',
    kills: [kill(enqueues(1), 'before', due)],
    leaves: { ...over, stored: 1, attempts: [], posts: 0 },
    ends: { ...completed, stored: 1, posts: 1 },
  },
  {
    // At the time of the kill, the webhook's delivery has begun and may have reached any of its steps.
    name: 'before the workflow gets the response of the finalization',
    kills: [kill(finalizes, 'after', due)],
    leaves: { tasks: 1, slots: 0, status: 'completed', ledger: [-1], stored: 1 },
    ends: { status: 'completed', webhook: 'delivered', ledger: [-1], stored: 1 },
  },
  {
    name: 'before a failed task is refunded',
    kills: [kill(ends, 'before')],
    engine: 'fails',
    leaves: { ...open, status: 'processing', job: ['token', 'reference', 'outcome'] },
    ends: { ...refunded, submissions: 1, posts: 1 },
  },
  {
    name: 'after a failed task is refunded',
    kills: [kill(ends, 'after', due)],
    engine: 'fails',
    leaves: { ...over, status: 'failed', ledger: [-1, 1], attempts: [], posts: 0 },
    ends: { ...refunded, submissions: 1, posts: 1 },
  },
];

const testing: CrashStep[] = [
  {
    name: 'after the task of a test token is created but before its execution starts',
    isTest: true,
    kills: [kill(commits, 'after', due)],
    leaves: unstarted,
    ends: { ...completed, posts: 1 },
  },
  {
    name: 'after the reference of the job of a test token is stored',
    isTest: true,
    kills: [kill(storesReference, 'after')],
    leaves: { ...open, status: 'pending', job: ['token', 'reference'] },
    ends: { ...completed, submissions: 0, posts: 1 },
  },
  {
    name: 'before a failed task of a test token is refunded',
    isTest: true,
    kills: [kill(ends, 'before')],
    engine: 'fails',
    leaves: { ...open, status: 'processing', job: ['token', 'reference', 'outcome'] },
    ends: { ...refunded, submissions: 0, posts: 1 },
  },
  {
    name: 'after the task of a test token is completed but before its webhook is enqueued',
    isTest: true,
    kills: [kill(enqueues(1), 'before', due)],
    leaves: { ...over, attempts: [], posts: 0 },
    ends: { ...completed, posts: 1 },
  },
];

export const taskSteps: readonly CrashStep[] = [...creation, ...asking, ...finalizing, ...testing];
