/** The steps of the demo: it sends requests as a customer would, and checks what comes back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, styleText } from 'node:util';
import { ApiError, type Client, type Task } from '../../client/client.ts';
import type { DemoRequest } from './demo-requests.ts';
import { saveResults } from './save-results.ts';
import { unless } from './unless.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

export interface Demo {
  /** A client with the demo's token, whose requests are aborted when the demo ends. */
  readonly api: Client;
  readonly receiver: WebhookReceiver;
  readonly title: string;
  readonly requests: readonly [DemoRequest, ...DemoRequest[]];
  /** The folder for the results, which exists. */
  readonly outDir: string;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The checks of the demo, in the order of its steps. */
const promises = {
  accepted: 'Every request got a 202 response and a task of its own.',
  completed: 'Every task was completed, and its progress never decreased.',
  authentic: 'Every webhook had the right token, signature, content type and user agent.',
  truthful: 'Each webhook matches GET task.',
  described: 'Every result has the type, dimensions and duration that its request and its task state.',
  replayed: 'The repeated request got the same response, marked as a replay, and debited nothing.',
  debited: 'The ledger contains one debit for the cost of each task, and no other new rows.',
  balanced: 'The balance was the sum of the ledger before and after.',
} as const;
export type Problems = Partial<Record<keyof typeof promises, readonly string[]>>;

type Acceptance = Awaited<ReturnType<DemoRequest['send']>>;

interface Order {
  readonly request: DemoRequest;
  readonly response: Acceptance;
}

const print = ({ write }: Demo, line: string) => write(`   ${line}\n`);

async function sendRequest({ api, receiver, ...demo }: Demo, request: DemoRequest): Promise<Order> {
  const response = await request.send(api, receiver.url);
  print({ api, receiver, ...demo }, request.summary);
  print({ api, receiver, ...demo }, styleText('dim', `${response.status} ${JSON.stringify(response.data)}`));
  return { request, response };
}

/** How many quick polls are possible: together with the demo's other requests, fewer than 60 a minute. */
const quickPolls = (tasks: number): number => Math.max(0, 30 - 2 * tasks);

/** Polls all tasks until they have ended, printing each change; returns what is wrong with them. */
async function followTasks(demo: Demo, orders: readonly Order[]): Promise<readonly string[]> {
  const names = new Map(orders.map(({ request, response }) => [response.data.taskId, request.name]));
  const last = new Map<string, Pick<Task, 'status' | 'progress'>>();
  const problems: string[] = [];
  for (let poll = 1; ; poll += 1) {
    const { tasks } = (await demo.api.listTasks({ query: { ids: [...names.keys()].join(',') } })).data;
    if (tasks.length !== names.size) throw new Error(`the list has ${tasks.length} tasks of ${names.size}`);
    for (const { id, status, progress, error } of tasks) {
      const name = names.get(id) ?? '';
      const before = last.get(id);
      last.set(id, { status, progress });
      if (before?.status !== status) print(demo, `${name.padEnd(24)} ${status.padEnd(10)} ${progress} %`);
      problems.push(...unless(progress >= (before?.progress ?? 0), `the progress of ${name} decreased`));
      if (status === 'failed') problems.push(...unless(before?.status === status, `${name} failed: ${error?.code}`));
      if (status === 'completed') problems.push(...unless(progress === 100, `${name} ended at ${progress}%`));
    }
    if (tasks.every(({ status }) => status === 'completed' || status === 'failed')) return problems;
    await sleep(poll < quickPolls(names.size) ? 500 : 3000, undefined, { signal: demo.signal });
  }
}

/** The expected webhook body for a task. */
function bodyFor({ id: taskId, status, resultUrl, creditsUsed, error, completedAt: timestamp }: Task): object {
  const result = status === 'completed' ? { resultUrl, creditsUsed } : { error };
  return { event: `task.${status}`, taskId, status, ...result, timestamp };
}

/** Waits for the webhook of a task; returns the task as GET task does. */
async function checkWebhook(demo: Demo, { request: { name }, response }: Order, problems: Problems): Promise<Task> {
  const { taskId } = response.data;
  const { authentic, signed, headers, body } = await demo.receiver.deliveryOf(taskId, demo.signal);
  const { data: task } = await demo.api.getTask({ params: { taskId } });
  const { 'content-type': contentType, 'user-agent': userAgent = '' } = headers;
  problems.authentic = [
    ...(problems.authentic ?? []),
    ...unless(authentic, `the X-Webhook-Token of ${name} is wrong`),
    ...unless(signed, `the signature of ${name} is invalid`),
    ...unless(contentType === 'application/json', `the Content-Type of ${name} is ${contentType}`),
    ...unless(/^[^ ]+-Webhook\/1\.0$/.test(userAgent), `the User-Agent of ${name} is "${userAgent}"`),
  ];
  const differs = unless(isDeepStrictEqual(body, bodyFor(task)), `the webhook and the task of ${name} differ`);
  problems.truthful = [...(problems.truthful ?? []), ...differs];
  print(demo, `${name.padEnd(24)} ${String(body.event)}  ${userAgent}`);
  return task;
}

type Ledger = Awaited<ReturnType<Client['listCreditHistory']>>['data'];
type LedgerRow = Ledger['history'][number];

const readLedger = async ({ api }: Demo): Promise<Ledger> =>
  (await api.listCreditHistory({ query: { limit: 100 } })).data;

const showLedger = (demo: Demo, { balance, history }: Ledger): void => {
  for (const { amount, reason, description } of history)
    print(demo, `${String(amount).padStart(5)}  ${reason}  ${description}`);
  print(demo, styleText('bold', `${String(balance).padStart(5)}  credits`));
};

/** Repeats a request, like a client that did not receive the response. */
async function repeatRequest(demo: Demo, { request, response }: Order): Promise<readonly string[]> {
  const before = await readLedger(demo);
  const { response: again } = await sendRequest(demo, request);
  const replayed = again.headers.get('idempotent-replayed');
  return [
    ...unless(again.status === response.status && isDeepStrictEqual(again.data, response.data), 'the response differs'),
    ...unless(replayed === 'true', 'the response is not marked with Idempotent-Replayed'),
    ...unless(isDeepStrictEqual(await readLedger(demo), before), 'the ledger has changed'),
  ];
}

const isDebitOf =
  ({ id, taskType, creditsUsed }: Task) =>
  ({ amount, description, reason, toolId }: LedgerRow): boolean =>
    reason === 'generation' && amount === -creditsUsed && toolId === taskType && description.includes(id);

export const problemsOfDebits = (before: Ledger, after: Ledger, tasks: readonly Task[]): readonly string[] => {
  const gained = after.history.filter((row) => !before.history.some(({ id }) => id === row.id));
  return [
    ...tasks.flatMap((task) =>
      unless(gained.filter(isDebitOf(task)).length === 1, `task ${task.id} was not debited exactly once`),
    ),
    ...gained.flatMap((row) =>
      unless(
        tasks.some((task) => isDebitOf(task)(row)),
        `there is an unexpected ${row.reason} of ${row.amount}`,
      ),
    ),
  ];
};

export const problemsOfBalance = ({ balance, history }: Ledger): readonly string[] => {
  const sum = history.reduce((total, { amount }) => total + amount, 0);
  return unless(sum === balance, `the balance is ${balance}, but the rows add up to ${sum}`);
};

async function perform(demo: Demo, problems: Problems): Promise<void> {
  let step = 0;
  const heading = (text: string) => {
    step += 1;
    demo.write(`\n${styleText('bold', `${step}  ${text}`)}\n`);
  };
  heading('The account before');
  const before = await readLedger(demo);
  showLedger(demo, before);
  heading('Requests to POST /api/v1/generate/…, each with an Idempotency-Key and a callbackUrl');
  const [first, ...others] = demo.requests;
  const orders: [Order, ...Order[]] = [await sendRequest(demo, first)];
  for (const request of others) orders.push(await sendRequest(demo, request));
  const ids = new Set(orders.map(({ response }) => response.data.taskId));
  problems.accepted = [
    ...orders.flatMap(({ response }) => unless(response.status === 202, `a request got status ${response.status}`)),
    ...unless(ids.size === orders.length, 'two requests got the same task'),
  ];
  heading('Their progress, from GET /api/v1/tasks?ids=');
  problems.completed = await followTasks(demo, orders);
  heading('The webhooks');
  const tasks: Task[] = [];
  for (const order of orders) tasks.push(await checkWebhook(demo, order, problems));
  heading('The results, downloaded from their URLs, and a page that shows them all');
  problems.described = await saveResults(demo, tasks);
  heading('The first request again, with the same Idempotency-Key');
  problems.replayed = await repeatRequest(demo, orders[0]);
  heading('The account after');
  const after = await readLedger(demo);
  showLedger(demo, after);
  problems.debited = problemsOfDebits(before, after, tasks);
  problems.balanced = [before, after].flatMap(problemsOfBalance);
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return `the service responded ${error.status} ${error.code}, ${error.message}`;
  return (error as Error).message;
}

/** Returns whether every check passed. @throws the reason of the signal if it aborts */
export async function runDemo(demo: Demo): Promise<boolean> {
  const problems: Problems = {};
  try {
    await perform(demo, problems);
  } catch (error) {
    demo.signal.throwIfAborted();
    print(demo, styleText('red', `This step failed: ${reasonOf(error)}.`));
  }
  demo.write(`\n${styleText('bold', 'Checks')}\n`);
  for (const [name, sentence] of Object.entries(promises)) {
    const found = problems[name as keyof Problems];
    print(
      demo,
      `${found?.length === 0 ? styleText('green', '✓') : styleText('red', '✗')} ${sentence}${found ? '' : ' (not reached)'}`,
    );
    if (found?.length) print(demo, styleText('red', `  ${found.join('; ')}`));
  }
  const count = Object.keys(promises).length;
  const passed = Object.values(problems).filter((found) => found.length === 0).length;
  print(
    demo,
    passed === count
      ? styleText('green', `\n   All ${count} passed.`)
      : styleText('red', `\n   ${count - passed} of ${count} failed.`),
  );
  return passed === count;
}
