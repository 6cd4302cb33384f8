/** One worker of the load: what it works with, and what all of them share. */
import type { Task } from '../../../shared/contracts/tasks.ts';
import type { Chance } from '../../support/chance.ts';
import type { BackEnd } from './back-end.ts';
import type { Requester } from './checked-client.ts';
import { type Customer, type Customers, remember } from './customers.ts';

export interface Worker {
  readonly chance: Chance;
  readonly customers: Customers;
  readonly requester: Requester;
  readonly backEnd: BackEnd;
  /** What no two creations share. */
  readonly nextKey: () => string;
  /** How each task is known to have ended. */
  readonly ends: Map<string, string>;
  /** Where the latest results are. */
  readonly resultUrls: string[];
  /** The tasks that were canceled successfully. */
  readonly canceled: Set<string>;
}

export const anyone = ({ chance, customers }: Worker): Customer => chance.pick(customers.all) ?? customers.crowded;

/** A request for a generation, of one to three credits. */
export function generation({ backEnd, chance }: Worker, given?: string): object {
  const text = given ?? 'Uma frase que se diz. '.repeat(6).slice(0, chance.between(5, 130));
  const callback = chance.strikes(0.6) && { callbackUrl: backEnd.callbackUrl(chance) };
  return { text, voice: chance.pick(['sarah', 'george', 'bill', 'LILY']), ...callback };
}

/** A task may not come back from its end, and ends only once. */
export function noteTask({ ends, requester, resultUrls }: Worker, task: Task): void {
  const known = ends.get(task.id);
  const end = task.status === 'failed' ? `failed ${task.error?.code}` : task.status;
  if (known !== undefined && known !== end) requester.object(`the task ${task.id} was ${known} and is ${end}`);
  if (task.status !== 'completed' && task.status !== 'failed') return;
  ends.set(task.id, end);
  if (task.resultUrl && known === undefined) remember(resultUrls, task.resultUrl);
}
