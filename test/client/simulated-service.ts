/** A service whose tasks end by a clock, with the rate limit of the real one. */
import type { Clock } from '../../client/client.ts';

interface Plan {
  readonly tasks: number;
  readonly endsAfterSeconds: readonly [first: number, last: number];
  readonly failsEvery: number;
  readonly retryAfterSeconds: number;
}

export interface SimulatedService {
  readonly ids: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  /** The final status of each task. */
  readonly outcomes: () => readonly string[];
  readonly counts: () => { readonly requests: number; readonly rejected: number };
}

const limit = 60;
const windowMs = 60_000;

/** Requests and responses take as long as `latencyMs` says. */
export function simulatedService(clock: Clock, plan: Plan, latencyMs: () => number): SimulatedService {
  const { tasks, endsAfterSeconds, failsEvery, retryAfterSeconds } = plan;
  const [first, last] = endsAfterSeconds;
  const startedAt = clock.now();
  const ids = Array.from({ length: tasks }, (_, index) => `task-${index}`);
  const endOf = (index: number) => startedAt + 1000 * (first + ((last - first) * index) / Math.max(1, tasks - 1));
  const finalStatus = (index: number) => (failsEvery > 0 && (index + 1) % failsEvery === 0 ? 'failed' : 'completed');
  const taskOf = (id: string) => {
    const index = ids.indexOf(id);
    return { id, status: clock.now() < endOf(index) ? 'processing' : finalStatus(index), progress: 0 };
  };
  let log: number[] = [];
  let [requests, rejected] = [0, 0];

  const respond = (url: URL): Response => {
    log = log.filter((at) => at > clock.now() - windowMs);
    requests += 1;
    const isAdmitted = log.length < limit;
    if (isAdmitted) log.push(clock.now());
    else rejected += 1;
    const moreAfter = Math.max(1, Math.ceil(((log[0] ?? 0) + windowMs - clock.now()) / 1000));
    const rate = {
      'RateLimit-Policy': `"token";q=${limit};w=${windowMs / 1000}`,
      RateLimit: `"token";r=${limit - log.length};t=${moreAfter}`,
    };
    if (!isAdmitted) {
      const error = { code: 'RATE_LIMITED', message: 'too many' };
      return Response.json(
        { success: false, error },
        { status: 429, headers: { ...rate, 'Retry-After': `${moreAfter}` } },
      );
    }
    const asked = url.searchParams.get('ids')?.split(',') ?? [url.pathname.split('/').at(-1) ?? ''];
    const found = asked.map(taskOf);
    const isOpen = found.some(({ status }) => status === 'processing');
    const data = url.searchParams.has('ids') ? { tasks: found } : found[0];
    const headers = { ...rate, ...(isOpen && { 'Retry-After': String(retryAfterSeconds) }) };
    return Response.json({ success: true, data }, { headers });
  };
  return {
    ids,
    fetch: async (input) => {
      await clock.wait(latencyMs());
      const response = respond(input as URL);
      await clock.wait(latencyMs());
      return response;
    },
    outcomes: () => ids.map((_, index) => finalStatus(index)),
    counts: () => ({ requests, rejected }),
  };
}
