/** Runs tasks from the request to the delivered webhook, one after another, and records what each of them used. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import type { Trip } from '../trip.ts';
import { type MeasuredService, startMeasuredService } from './measured-service.ts';
import type { Kind, Order, TaskRecord } from './task-record.ts';
import { videoTasks } from './videos.ts';

/** The most polls per task, because a token may make 60 requests a minute. */
export const maxPolls = 50;

const text = 'O seu pedido foi enviado hoje e deve chegar à sua casa até sexta-feira, entre as nove e as doze horas.';

const count = (names: readonly string[], name: string): number => names.filter((one) => one === name).length;

/**
 * Waits until nothing of a task is in progress: its execution has ended, and its webhook is delivered and off the
 * queue.
 */
async function untilQuiet({ service, meter, requests }: MeasuredService, taskId: string): Promise<void> {
  const patienceMs = 60_000;
  const startedAt = performance.now();
  for (;;) {
    const task = await service.context.tasks.find(taskId);
    const sent = count(requests.requests, 'SQS SendMessage');
    const deleted = count(requests.requests, 'SQS DeleteMessage');
    if (task?.webhookStatus === 'delivered' && meter.running === 0 && sent === deleted) return;
    if (performance.now() - startedAt > patienceMs) throw new Error(`task ${taskId} did not end`);
    await sleep(20);
  }
}

interface Ran {
  readonly taskId: string;
  readonly resultBytes: number;
}

type Create = () => Promise<{ readonly data: { readonly taskId: string } }>;

/** Prepares a request and what it refers to. */
async function requestOf({ inputs, service, sink }: MeasuredService, api: Client, kind: Kind): Promise<Create> {
  const common = { callbackUrl: `${sink.url}/webhooks` };
  const idempotencyKey = service.context.ids.next();
  if (kind === 'speech') return () => api.generateVoice({ body: { ...common, text, voice: 'sarah' }, idempotencyKey });
  if (kind === 'voice-change') {
    const body = { ...common, audioUrl: `${inputs.url}/recording.mp3`, voice: 'charlotte' } as const;
    return () => api.changeVoice({ body, idempotencyKey });
  }
  const request = await videoTasks[kind].prepare(api, (name) => `${inputs.url}/${name}`);
  return () => request(common, idempotencyKey);
}

/** Creates a task and polls it; all polls but the last happen while it is open. */
async function runTask(measured: MeasuredService, api: Client, create: Create, polls: number): Promise<Ran> {
  const { engine, sink } = measured;
  const { taskId } = (await create()).data;
  for (let poll = 1; poll < polls; poll += 1) await api.getTask({ params: { taskId } });
  engine.release(taskId);
  const { resultUrl } = await sink.noticeOf(taskId);
  if (!resultUrl) throw new Error(`task ${taskId} failed`);
  await untilQuiet(measured, taskId);
  if (polls > 0) await api.getTask({ params: { taskId } });
  const result = await fetch(resultUrl);
  return { taskId, resultBytes: (await result.arrayBuffer()).byteLength };
}

/**
 * Requires that no write was rejected, because DynamoDB does not report the cost of those; a successful task has none.
 */
function requirePriced(trips: readonly Trip[]): readonly Trip[] {
  const unpriced = trips.find(({ to, capacityUnits }) => to === 'DynamoDB' && capacityUnits === 0);
  if (unpriced) throw new Error(`a DynamoDB response has no capacity units: ${unpriced.operation}`);
  return trips;
}

async function measureTask(measured: MeasuredService, { scenario, polls }: Order): Promise<TaskRecord> {
  const { engine, meter, requests, service, sink, trips: counter } = measured;
  const api = await measured.newClient();
  const create = await requestOf(measured, api, scenario.kind);
  const before = {
    calls: meter.calls.length,
    requests: requests.requests.length,
    bytes: sink.bytes,
    inputBytes: engine.inputBytes,
  };
  let ran: Ran = { taskId: '', resultBytes: 0 };
  const trips = await counter.during(async () => {
    ran = await runTask(measured, api, create, polls);
  });
  const { taskId, resultBytes } = ran;
  const execution = service.stateMachines.executions().find(({ name }) => name === taskId);
  if (execution?.status !== 'SUCCEEDED') throw new Error(`the execution of task ${taskId} is ${execution?.status}`);
  return {
    calls: meter.calls.slice(before.calls),
    trips: requirePriced(trips),
    requests: requests.requests.slice(before.requests),
    statesEntered: execution.statesEntered,
    webhookBytes: sink.bytes - before.bytes,
    resultBytes,
    inputBytes: engine.inputBytes - before.inputBytes,
  };
}

/** Measures tasks. The first one, which opens connections and reads the catalog, is excluded. */
export async function measureTasks(order: Order): Promise<TaskRecord[]> {
  const { scenario, tasks } = order;
  const measured = await startMeasuredService(scenario);
  try {
    const records: TaskRecord[] = [];
    for (let task = 0; task <= tasks; task += 1) records.push(await measureTask(measured, order));
    return records.slice(1);
  } finally {
    await measured.close();
  }
}
