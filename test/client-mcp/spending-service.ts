/** A service that debits generations, on a network that loses, rejects and truncates messages. */
import type { Clock } from '../../client/client.ts';

/** The possible outcomes of one attempt at a generation. */
export const networkOutcomes = [
  'accept',
  'accept and lose the response',
  'accept and truncate the response',
  'accept and let a proxy respond 503',
  'accept and respond 500',
  'lose the request',
  'reject with 402',
  'reject with 429',
  'reject with 503',
] as const;
export type Outcome = (typeof networkOutcomes)[number];

export interface SpendingService {
  readonly fetch: typeof globalThis.fetch;
  /** The total cost of the accepted tasks. */
  readonly spent: () => number;
  /** The cost of each accepted task that was not canceled. */
  readonly costs: () => readonly number[];
}

const failed = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ success: false, error: { code, message: 'rejected' } }, { status, headers });

export function spendingService(
  clock: Clock,
  outcomeOf: () => Outcome,
  /** By how much a task costs more than its quote, as if prices had changed in between. */
  surcharge: () => number = () => 0,
): SpendingService {
  const tasks = new Map<string, { readonly cost: number; isCanceled: boolean }>();

  const created = (key: string, quoted: number): Response => {
    if (!tasks.has(key)) tasks.set(key, { cost: quoted + surcharge(), isCanceled: false });
    return Response.json({ success: true, data: { taskId: key, status: 'queued' } }, { status: 202 });
  };

  const generate = (key: string, quoted: number): Response => {
    const outcome = outcomeOf();
    if (outcome === 'lose the request') throw new TypeError('fetch failed');
    if (outcome === 'reject with 402') return failed(402, 'INSUFFICIENT_CREDITS');
    if (outcome === 'reject with 429') return failed(429, 'RATE_LIMITED', { 'Retry-After': '1' });
    if (outcome === 'reject with 503') return failed(503, 'SERVICE_UNAVAILABLE');
    const response = created(key, quoted);
    if (outcome === 'accept and lose the response') throw new TypeError('fetch failed');
    if (outcome === 'accept and truncate the response') return new Response('{"success":tr', { status: 202 });
    if (outcome === 'accept and let a proxy respond 503')
      return Response.json({ message: 'Service Unavailable' }, { status: 503 });
    if (outcome === 'accept and respond 500') return failed(500, 'INTERNAL_ERROR');
    return response;
  };

  return {
    fetch: async (input, init) => {
      await clock.wait(1000 * clock.random());
      const [, id = '', verb] =
        new URL(input instanceof Request ? input.url : input).pathname.match(/\/tasks\/([^/]+)(\/cancel)?$/) ?? [];
      const task = tasks.get(id);
      if (task && verb) task.isCanceled = true;
      if (task) return Response.json({ success: true, data: { id, creditsUsed: task.cost } });
      const headers = new Headers(init?.headers);
      const { cost } = JSON.parse(init?.body as string) as { cost: number };
      if (headers.has('x-dry-run')) return Response.json({ success: true, data: { cost, balance: 1000 } });
      return generate(headers.get('idempotency-key') ?? '', cost);
    },
    spent: () => [...tasks.values()].reduce((sum, { cost }) => sum + cost, 0),
    costs: () => [...tasks.values()].filter(({ isCanceled }) => !isCanceled).map(({ cost }) => cost),
  };
}
