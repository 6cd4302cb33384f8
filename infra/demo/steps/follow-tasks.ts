/** Polls all tasks until they have ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskSummary } from '../../../client/client.ts';
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import type { Order } from '../order.ts';

/**
 * How many quick polls are possible: together with the demo's other requests, fewer than 60 a minute. Each task needs
 * another two requests.
 */
const quickLooks = (tasks: number): number => Math.max(0, 30 - 2 * tasks);
const quickIntervalMs = 500;
const slowIntervalMs = 3000;

const hasEnded = ({ status }: TaskSummary): boolean => status === 'completed' || status === 'failed';

/** The task's summary in a poll's list. */
function taskOf({ accepted, request }: Order, tasks: readonly TaskSummary[]): TaskSummary {
  const task = tasks.find(({ id }) => id === accepted.taskId);
  if (!task) throw new Error(`the list of tasks lacks the task of ${request.name}`);
  return task;
}

function problemsOf({ request: { name } }: Order, looks: readonly TaskSummary[]): readonly string[] {
  const last = looks.at(-1);
  const wentBack = looks.some(({ progress }, index) => progress < (looks[index - 1]?.progress ?? 0));
  return [
    ...unless(last?.status === 'completed', `${name} ${last?.status}: ${last?.error?.code}`),
    ...unless(last?.status !== 'completed' || last.progress === 100, `${name} ended at ${last?.progress}%`),
    ...unless(!wentBack, `the progress of ${name} decreased`),
  ];
}

export async function followTasks(
  { api, checks, screen }: Demo,
  orders: readonly Order[],
  signal: AbortSignal,
): Promise<void> {
  const { listTasks } = api(signal);
  const ids = orders.map(({ accepted }) => accepted.taskId).join(',');
  const lines = screen.progress();
  const seen = orders.map((order) => ({ order, looks: [] as TaskSummary[] }));
  for (let look = 1; ; look += 1) {
    const { tasks } = (await listTasks({ query: { ids } })).data;
    for (const { order, looks } of seen) looks.push(taskOf(order, tasks));
    const ordered = orders.map((order) => ({ name: order.request.name, task: taskOf(order, tasks) }));
    lines.show(ordered.map(({ name, task }) => ({ name, status: task.status, percent: task.progress })));
    if (ordered.every(({ task }) => hasEnded(task))) break;
    await sleep(look < quickLooks(orders.length) ? quickIntervalMs : slowIntervalMs, undefined, { signal });
  }
  checks.report(
    'completed',
    seen.flatMap(({ order, looks }) => problemsOf(order, looks)),
  );
}
