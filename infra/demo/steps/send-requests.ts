/** Sends the requests of the demo. */
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import type { DemoRequest, Order, Orders } from '../order.ts';

/** The response and its headers. */
export async function sendRequest({ api, receiver, screen }: Demo, request: DemoRequest, signal: AbortSignal) {
  const { idempotencyKey } = request;
  screen.line(request.summary);
  const { status, headers, data } = await request.send(api(signal), { idempotencyKey, callbackUrl: receiver.url });
  screen.line(screen.style('dim', `${status} ${JSON.stringify(data)}`));
  return { status, headers, accepted: data };
}

export async function sendRequests(
  demo: Demo,
  [first, ...others]: readonly [DemoRequest, ...DemoRequest[]],
  signal: AbortSignal,
): Promise<Orders> {
  const order = async (request: DemoRequest): Promise<Order> => {
    const { status, accepted } = await sendRequest(demo, request, signal);
    return { request, status, accepted };
  };
  const orders: [Order, ...Order[]] = [await order(first)];
  for (const request of others) orders.push(await order(request));
  const tasks = new Set(orders.map(({ accepted }) => accepted.taskId));
  demo.checks.report('accepted', [
    ...orders.flatMap(({ status }) => unless(status === 202, `a request got status ${status}`)),
    ...unless(tasks.size === orders.length, 'two requests got the same task'),
  ]);
  return orders;
}
