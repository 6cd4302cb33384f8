/** Waits for all webhooks, and compares each with its task. */
import { isDeepStrictEqual } from 'node:util';
import type { Task } from '../../../client/client.ts';
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import { type Order, widthOf } from '../order.ts';
import type { Delivery } from '../webhook-receiver.ts';

const userAgentForm = /^[^ ]+-Webhook\/1\.0$/;

interface Notice {
  readonly name: string;
  readonly delivery: Delivery;
  /** The task as returned by GET task. */
  readonly task: Task;
}

/** The expected webhook body for a task. */
function expectedBody({ id: taskId, status, resultUrl, creditsUsed, error, completedAt: timestamp }: Task): object {
  const result = status === 'completed' ? { resultUrl, creditsUsed } : { error };
  return { event: `task.${status}`, taskId, status, ...result, timestamp };
}

function problemsOfSender({ name, delivery: { authentic, signed, headers } }: Notice): readonly string[] {
  const contentType = headers['content-type'];
  const userAgent = headers['user-agent'] ?? '';
  return [
    ...unless(authentic, `the X-Webhook-Token of ${name} is wrong`),
    ...unless(signed, `the signature of ${name} is invalid`),
    ...unless(contentType === 'application/json', `the Content-Type of ${name} is ${contentType}`),
    ...unless(userAgentForm.test(userAgent), `the User-Agent of ${name} is "${userAgent}"`),
  ];
}

const problemsOfBody = ({ name, delivery, task }: Notice): readonly string[] =>
  unless(isDeepStrictEqual(delivery.body, expectedBody(task)), `the webhook and the task of ${name} differ`);

const line = ({ name, delivery: { authentic, signed, body, headers } }: Notice, nameWidth: number): string =>
  [
    name.padEnd(nameWidth),
    String(body.event),
    `X-Webhook-Token ${authentic ? 'right' : 'WRONG'}`,
    `signature ${signed ? 'right' : 'WRONG'}`,
    headers['user-agent'],
  ].join('  ');

/** Returns the tasks as returned by GET task, in the order of the requests. */
export async function checkWebhooks(
  { api, checks, receiver, screen }: Demo,
  orders: readonly Order[],
  signal: AbortSignal,
): Promise<readonly Task[]> {
  const notices: Notice[] = [];
  const nameWidth = widthOf(orders.map(({ request }) => request));
  for (const { accepted, request } of orders) {
    const delivery = await receiver.deliveryOf(accepted.taskId, signal);
    const { data: task } = await api(signal).getTask({ params: { taskId: accepted.taskId } });
    const notice = { name: request.name, delivery, task };
    screen.line(line(notice, nameWidth));
    notices.push(notice);
  }
  checks.report('authentic', notices.flatMap(problemsOfSender));
  checks.report('truthful', notices.flatMap(problemsOfBody));
  return notices.map(({ task }) => task);
}
