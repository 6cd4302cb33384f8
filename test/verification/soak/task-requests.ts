/** Requests about existing tasks. */
import type { Task } from '../../../shared/contracts/tasks.ts';
import { createCarelessly, creationCodes } from './creation-requests.ts';
import { anyone, generation, noteTask, type Worker } from './worker.ts';

export async function getTask(worker: Worker): Promise<void> {
  const customer = anyone(worker);
  const taskId = worker.chance.pick(customer.recent);
  if (!taskId) return;
  const { code, data } = await worker.requester.send({
    operationId: 'getTask',
    token: customer.token(),
    params: { taskId },
    expected: ['200'],
  });
  if (code === '200') noteTask(worker, data as Task);
}

export async function listTasks(worker: Worker): Promise<void> {
  const { chance, requester } = worker;
  const customer = anyone(worker);
  const ids = customer.recent.slice(-chance.between(1, 20));
  const key = chance.pick(customer.creations)?.key ?? 'none';
  const query = chance.pick([
    '',
    'limit=5&offset=10',
    'status=completed',
    'status=failed&limit=100',
    'status=processing',
    `clientReference=${key}`,
    ids.length > 0 ? `ids=${ids.join(',')}` : 'taskType=voice',
  ]);
  const response = await requester.send({
    operationId: 'listTasks',
    token: customer.token(),
    query: query ?? '',
    expected: ['200'],
  });
  if (response.code !== '200' || !query?.startsWith('ids=')) return;
  const found = (response.data as { tasks: unknown[] }).tasks.length;
  if (found !== ids.length) requester.object(`of ${ids.length} tasks that were asked for by id, ${found} came`);
}

export async function cancel(worker: Worker): Promise<void> {
  const customer = anyone(worker);
  if (worker.chance.strikes(0.7)) await createCarelessly(worker, customer);
  const taskId = customer.recent.at(-1);
  if (!taskId) return;
  const { code, data } = await worker.requester.send({
    operationId: 'cancelTask',
    token: customer.token(),
    params: { taskId },
    expected: ['200', 'TASK_NOT_CANCELABLE'],
  });
  if (code !== '200') return;
  worker.canceled.add(taskId);
  noteTask(worker, data as Task);
}

export async function dryRun(worker: Worker): Promise<void> {
  const request = { operationId: 'generateVoice', headers: { 'x-dry-run': 'true' } } as const;
  const expected = ['200', ...creationCodes];
  await worker.requester.send({ ...request, token: anyone(worker).token(), body: generation(worker), expected });
}

export async function download({ chance, requester, resultUrls }: Worker): Promise<void> {
  const url = chance.pick(resultUrls);
  if (!url) return;
  const response = await fetch(url);
  const { byteLength } = await response.arrayBuffer();
  if (response.status !== 200 || byteLength === 0)
    requester.object(`the result ${url} responds with ${response.status}`);
}
