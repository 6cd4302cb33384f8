/** Runs tasks from the request to the result, one after another, and records what each of them used. */
import { resultBytesOf, studioSeconds } from '../../../bench/cost/assumptions.ts';
import type { Kind, Order, TaskRecord } from '../../../bench/cost/task-record.ts';
import type { Trip } from '../../../bench/trip.ts';
import { defaultModes } from '../../../shared/catalog/studio-modes.ts';
import type { OperationId } from '../../../shared/contracts/registry.ts';
import { resultUrlOf } from '../../../shared/domain/tasks/present-task.ts';
import { isTerminal } from '../../../shared/domain/tasks/task.ts';
import { eventually } from '../../support/eventually.ts';
import type { TestAccount, TestResponse } from '../../support/test-service.ts';
import type { Delivery } from '../../support/webhook-receiver.ts';
import { type MeasuredService, startMeasuredService } from './measured-service.ts';

const text = 'O seu pedido foi enviado hoje e deve chegar à sua casa até sexta-feira, entre as nove e as doze horas.';

/** A mode in which a person speaks. */
const mode = defaultModes.find(({ avatarPolicy }) => avatarPolicy === 'required')?.slug ?? '';

type Request = readonly [operationId: OperationId, body: object];

/** Sends a request that the service must accept, and resolves with its data. */
async function accepted<Data>(sending: Promise<TestResponse>): Promise<Data> {
  const { body, status, text: said } = await sending;
  if (status >= 300) throw new Error(`a request was rejected with ${status}: ${said}`);
  return body.data as Data;
}

/** Creates what a Studio video refers to. */
async function studioRequest(measured: MeasuredService, { token }: TestAccount): Promise<Request> {
  const create = (operationId: OperationId, body: object) =>
    accepted<{ id: string }>(measured.call(operationId, { token, body }));
  const { image } = measured.engine.inputUrls;
  const product = await create('createStudioProduct', { title: 'Café', description: 'Torrado hoje.', images: [image] });
  const avatar = await create('createStudioAvatar', { name: 'Ana', imageUrl: image });
  const shape = { resolution: '720p', aspectRatio: '9:16', durationSec: studioSeconds };
  return ['generateStudioVideo', { productId: product.id, avatarId: avatar.id, ...shape, mode }];
}

async function requestOf(measured: MeasuredService, account: TestAccount, kind: Kind): Promise<Request> {
  const { audio, image, video } = measured.engine.inputUrls;
  const scene = { template: 'selfie', action: 'sorri para a câmera', speech: 'Gente, olha que café!' };
  const requests: Readonly<Record<Exclude<Kind, 'studio'>, Request>> = {
    speech: ['generateVoice', { text, voice: 'sarah' }],
    'voice-change': ['changeVoice', { audioUrl: audio, voice: 'charlotte' }],
    creative: ['generateCreativeVideo', { prompt: 'Um farol ao amanhecer, ondas batem nas pedras' }],
    ugc: ['generateUgcVideo', { ...scene, combinedImages: [image, image] }],
    imitate: ['imitateVideo', { characterImage: image, motionVideo: video }],
  };
  return kind === 'studio' ? studioRequest(measured, account) : requests[kind];
}

/**
 * Waits until nothing of a task is in progress: its execution has ended, and its webhook is delivered and off the
 * queue.
 */
function untilQuiet({ service, meter, requests }: MeasuredService, taskId: string): Promise<true> {
  const count = (name: string): number => requests.filter((one) => one === name).length;
  return eventually(`the end of task ${taskId}`, async () => {
    const task = await service.context.tasks.find(taskId);
    const isOffQueue = count('SQS SendMessage') === count('SQS DeleteMessage');
    const isTold = task?.webhookStatus !== 'pending';
    return task && isTerminal(task) && isTold && meter.running === 0 && isOffQueue ? true : undefined;
  });
}

/** Creates a task and polls it, all but the last time while it is open, or awaits its webhook; resolves with its id. */
async function runTask(
  measured: MeasuredService,
  { token }: TestAccount,
  [operationId, body]: Request,
  { polls, scenario: { hasWebhook } }: Pick<Order, 'polls' | 'scenario'>,
): Promise<string> {
  const { receiver, service } = measured;
  const headers = { 'idempotency-key': service.context.ids.next() };
  const order = { token, headers, body: { ...body, ...(hasWebhook && { callbackUrl: receiver.url }) } };
  const { taskId } = await accepted<{ taskId: string }>(measured.call(operationId, order));
  const poll = () => measured.call('getTask', { token, params: { taskId } });
  for (let asked = 1; asked < polls; asked += 1) await poll();
  measured.release();
  await untilQuiet(measured, taskId);
  if (polls > 0) await poll();
  const task = await service.context.tasks.find(taskId);
  const resultUrl = task && resultUrlOf(task, service.context.settings.resultsUrl);
  if (!resultUrl) throw new Error(`task ${taskId} failed`);
  await (await fetch(resultUrl)).arrayBuffer();
  return taskId;
}

/** A header consists of its name, its value, a colon, a space and a line break. */
const sizeOf = ({ body, headers }: Delivery): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length + 4, body.length);

/**
 * Requires that no write was rejected, because DynamoDB does not report the cost of those; a successful task has none.
 */
function requirePriced(trips: readonly Trip[]): readonly Trip[] {
  const unpriced = trips.find(({ to, capacityUnits }) => to === 'DynamoDB' && capacityUnits === 0);
  if (unpriced) throw new Error(`a DynamoDB response has no capacity units: ${unpriced.operation}`);
  return trips;
}

async function measureTask(measured: MeasuredService, order: Pick<Order, 'polls' | 'scenario'>): Promise<TaskRecord> {
  const { meter, requests, service } = measured;
  const { scenario } = order;
  // Each token has a rate limit.
  const account = await measured.account({ planId: 'business' });
  const request = await requestOf(measured, account, scenario.kind);
  const [calls, asked, inputBytes] = [meter.calls.length, requests.length, measured.inputBytes];
  let taskId = '';
  const trips = await measured.trips.during(async () => {
    taskId = await runTask(measured, account, request, order);
  });
  const execution = service.stateMachines.executions().find(({ name }) => name === taskId);
  if (execution?.status !== 'SUCCEEDED') throw new Error(`the execution of task ${taskId} is ${execution?.status}`);
  const { results = [] } = (await service.context.tasks.find(taskId)) ?? {};
  return {
    calls: meter.calls.slice(calls),
    trips: requirePriced(trips),
    requests: requests.slice(asked),
    statesEntered: execution.statesEntered,
    webhookBytes: measured.receiver.of(taskId).reduce((sum, delivery) => sum + sizeOf(delivery), 0),
    resultBytes: resultBytesOf(scenario.kind),
    credentials: results.filter(({ provenance }) => provenance).length,
    inputBytes: measured.inputBytes - inputBytes,
  };
}

/** Measures tasks. The first one, which opens connections and reads the catalog, is excluded. */
export async function measureTasks({ scenario, polls, tasks }: Order): Promise<TaskRecord[]> {
  const measured = await startMeasuredService(scenario);
  const pollsUntil = (task: number): number => Math.ceil(polls * task);
  try {
    await measureTask(measured, { scenario, polls: Math.ceil(polls) });
    const records: TaskRecord[] = [];
    for (let task = 0; task < tasks; task += 1)
      records.push(await measureTask(measured, { scenario, polls: pollsUntil(task + 1) - pollsUntil(task) }));
    return records;
  } finally {
    await measured.close();
  }
}
