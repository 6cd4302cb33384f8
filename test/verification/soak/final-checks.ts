/** What must hold of the table, the responses, the webhooks and the results when everything is settled. */
import { SQSClient } from '@aws-sdk/client-sqs';
import { isTerminal } from '../../../shared/domain/tasks/task.ts';
import type { FullContext } from '../../../shared/runtime/full-context.ts';
import type { Exhausted } from '../faults/random-faults.ts';
import { checkMoment } from '../oracle/invariants.ts';
import type { SeenTask, Snapshot } from '../oracle/snapshot.ts';
import type { TemporaryService } from '../process/temporary-service.ts';
import type { BackEnd } from './back-end.ts';
import type { Requester } from './checked-client.ts';
import { messagesIn, type Unsettled } from './settle.ts';
import type { Worker } from './worker.ts';

export interface Soaked {
  readonly service: TemporaryService;
  /** Leads past all faults. */
  readonly context: FullContext;
  readonly requester: Requester;
  readonly backEnd: BackEnd;
  readonly known: Pick<Worker, 'canceled' | 'ends'>;
  readonly exhausted: readonly Exhausted[];
  readonly forgedAccepted: readonly string[];
  readonly left: Unsettled;
  readonly snapshot: Snapshot;
}

const sentenceLength = 500;
const sampledResults = 50;

function* endings({ left, snapshot }: Soaked): Generator<string> {
  if (Object.values(left).some((count) => count > 0)) yield `not everything came to its end: ${JSON.stringify(left)}`;
  for (const task of snapshot.tasks.values()) {
    if (!isTerminal(task)) yield `the task ${task.taskId} is ${task.status}`;
    if (task.webhookStatus === 'pending') yield `the webhook of ${task.taskId} is still owed`;
  }
  for (const [accountId, { openTasks }] of snapshot.accounts) {
    if (openTasks.length > 0) yield `the account ${accountId} has slots left over: ${openTasks.join(', ')}`;
  }
}

function* invariants({ backEnd, snapshot }: Soaked): Generator<string> {
  try {
    checkMoment(snapshot, backEnd.posts);
  } catch (error) {
    yield String(error);
  }
}

/** A task that is in no response can only come from a creation that failed with an internal error. */
function* promises({ known, requester, snapshot }: Soaked): Generator<string> {
  const { tasks } = snapshot;
  const { internalErrors, promised } = requester;
  for (const taskId of promised) if (!tasks.has(taskId)) yield `the task ${taskId} was returned and does not exist`;
  const unreported = [...tasks.keys()].filter((taskId) => !promised.has(taskId));
  const excuses = internalErrors.filter(({ operationId }) => operationId === 'generateVoice').length;
  if (unreported.length > excuses)
    yield `${unreported.length} tasks were created that are in no response:  ${unreported.join(', ')}`;
  for (const [taskId, end] of known.ends) {
    const { status, errorCode } = tasks.get(taskId) ?? { status: 'gone' };
    const now = status === 'failed' ? `failed ${errorCode}` : status;
    if (now !== end) yield `the task ${taskId} had ended as ${end} and is ${now}`;
  }
  for (const taskId of known.canceled) {
    if (tasks.get(taskId)?.errorCode !== 'CANCELED') yield `the task ${taskId} was canceled and ended otherwise`;
  }
}

function* webhooks({ backEnd, snapshot }: Soaked): Generator<string> {
  yield* backEnd.malformed;
  for (const [taskId, [body = '']] of backEnd.posts) {
    const task = snapshot.tasks.get(taskId);
    const { status } = JSON.parse(body) as { status: string };
    if (task?.status !== status) yield `the webhook of ${taskId} says ${status}, and the task is ${task?.status}`;
    if (task?.webhookStatus === 'delivered' && !backEnd.accepted.has(taskId)) {
      yield `the webhook of ${taskId} is recorded as delivered, but no receiver accepted it`;
    }
  }
}

/** Several requests may share one read of the catalog: a later one fails with the one that began it. */
const sharedReadMs = 2000;

/** About four calls are made for a request, and one in two thousand fails at every try. */
const toleratedErrors = 0.01;

/** Too few requests for a share. */
const always = 3;

/** An internal error is allowed only where a call to the database failed at its last try. */
function* errors({ exhausted, requester }: Soaked): Generator<string> {
  const { internalErrors, latenciesMs } = requester;
  const excuses = exhausted.filter(({ call }) => call.service === 'DynamoDB').map(({ at }) => at);
  for (const { operationId, from, to } of internalErrors) {
    const isExcused = excuses.some((at) => at >= from - sharedReadMs && at <= to);
    if (!isExcused) yield `${operationId} responded with 500 without a fault that excuses it`;
  }
  const tolerated = always + latenciesMs.length * toleratedErrors;
  if (internalErrors.length > tolerated) yield `${internalErrors.length} of ${latenciesMs.length} responses were 500`;
}

async function* results({ service, snapshot }: Soaked): AsyncGenerator<string> {
  const completed = [...snapshot.tasks.values()].filter(({ status }) => status === 'completed');
  const step = Math.max(1, Math.floor(completed.length / sampledResults));
  const sample: SeenTask[] = completed.filter((_, index) => index % step === 0);
  for (const { taskId, results: stored = [] } of sample) {
    for (const { bytes, contentType, key } of stored) {
      const response = await fetch(`${service.url}/${key}`);
      const { byteLength } = await response.arrayBuffer();
      const isWhole = response.status === 200 && byteLength === bytes;
      if (!isWhole || response.headers.get('content-type') !== contentType) {
        yield `the result of ${taskId} responds with ${response.status} with ${byteLength} of ${bytes} bytes`;
      }
    }
    if (stored.length === 0) yield `the task ${taskId} is completed without a result`;
  }
}

async function* storedElsewhere({ context, service, snapshot }: Soaked): AsyncGenerator<string> {
  const { audited, drifts } = (await service.invoke('auditLedger', {})) as { audited: number; drifts: unknown[] };
  if (audited !== snapshot.accounts.size) yield `the audit looked at ${audited} of ${snapshot.accounts.size} accounts`;
  if (drifts.length > 0) yield `the audit finds drift: ${JSON.stringify(drifts)}`;
  const client = new SQSClient(context.settings.aws('SQS'));
  const dead = await messagesIn(client, `${context.settings.webhookQueueUrl}-dead-letters`);
  client.destroy();
  if (dead > 0) yield `${dead} messages are dead letters`;
}

/** What the host itself writes when a schedule or a queue meets a fault that was meant for it. */
const expectedComplaint = /^(Schedule: sweepTasks|Queue consumer: deliverWebhook) failed/;

function* complaints({ service }: Soaked): Generator<string> {
  const lines = service.output.stderr.split('\n').filter((line) => line !== '' && !expectedComplaint.test(line));
  if (lines.length > 0) yield `the service complained: ${lines.slice(0, 5).join(' ')}`;
}

/** A sentence for each promise that was broken; none when all is well. */
export async function finalChecks(soaked: Soaked): Promise<string[]> {
  const { forgedAccepted, requester } = soaked;
  const found = [
    ...requester.objections,
    ...endings(soaked),
    ...invariants(soaked),
    ...promises(soaked),
    ...webhooks(soaked),
    ...errors(soaked),
    ...forgedAccepted.map((one) => `the response to a forged report was ${one}`),
    ...complaints(soaked),
    ...(await Array.fromAsync(results(soaked))),
    ...(await Array.fromAsync(storedElsewhere(soaked))),
  ];
  return found.map((sentence) => sentence.slice(0, sentenceLength));
}
