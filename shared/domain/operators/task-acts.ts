/** Operators' acts on tasks and their webhooks. */
import type { Queue } from '../../platform/queue.ts';
import { taskForms } from '../act-forms/task-forms.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { type EndTaskNeeds, endTask } from '../task-lifecycle/end-task.ts';
import { redeliverWebhook as redeliver } from '../task-lifecycle/redeliver-webhook.ts';
import { act } from './act.ts';
import { aboutPartOf, missing } from './find-subject.ts';
import type { ActNeeds } from './perform-act.ts';

type Needs = ActNeeds & Pick<Stores, 'tasks'>;

async function findTask({ tasks }: Needs, taskId: string) {
  const state = await tasks.findWithDeliveries(taskId);
  if (!state) throw missing(`task ${taskId}`);
  return { about: aboutPartOf(state.task.accountId, `task ${taskId}`), state };
}

export const failTask = act({
  ...taskForms.failTask,
  commits: 'in-steps',
  async find(needs: Needs & EndTaskNeeds, { task }) {
    const { about, state } = await findTask(needs, task);
    return { ...about, before: { status: state.task.status }, state };
  },
  after: () => ({ status: 'failed' }),
  async perform(needs, _input, { found }) {
    const { task } = found.state;
    const ended = await endTask(needs, task, { status: 'failed', code: 'INTERNAL_ERROR', endedBy: 'operator' });
    if (!ended) throw new Rejection('invalid', { message: `Task ${task.taskId} has already ended.` });
    return { taskId: task.taskId, status: 'failed', creditsRefunded: task.cost };
  },
  changed: ({ status, creditsRefunded }) => ({ status, creditsRefunded }),
});

export const redeliverWebhook = act({
  ...taskForms.redeliverWebhook,
  commits: 'in-steps',
  async find(needs: Needs & { readonly queue: Queue }, { task }) {
    const { about, state } = await findTask(needs, task);
    return { ...about, before: { webhookStatus: state.task.webhookStatus ?? null }, state };
  },
  after: () => ({ webhookStatus: 'pending' }),
  async perform(needs, { task: taskId }, { found }) {
    return { taskId, webhookStatus: 'pending', firstAttempt: await redeliver(needs, found.state) };
  },
  changed: ({ webhookStatus, firstAttempt }) => ({ webhookStatus, firstAttempt }),
});
