/** What an account's tasks cost, by day, task type and token: the sums of its ledger. */
import { dayAt, dayMs } from '../../platform/clock.ts';
import { firstIdAt, timeOfId } from '../../platform/ids.ts';
import type { LedgerRow } from '../accounts/ledger.ts';

export interface UsageSums {
  /** The number of tasks created. */
  readonly tasks: number;
  /** The number of tasks that failed or were canceled, counted on the day of the refund. */
  readonly failed: number;
  readonly creditsUsed: number;
  /** The credits refunded for failed tasks, counted on the day of the refund. */
  readonly creditsRefunded: number;
}

export interface UsageEntry extends UsageSums {
  readonly taskType: string;
  /** The token that created the tasks; absent for tasks that were debited before the ledger recorded tokens. */
  readonly tokenId?: string;
}

/** A UTC day in ISO 8601, such as `2026-11-21`. A ledger row belongs to the day on which its id was created. */
export type Day = string;

export const dayOfId = (id: string): Day => dayAt(timeOfId(id));

/** An id that sorts before all ids of the day and after all earlier ids. */
export const startOfDay = (day: Day): string => firstIdAt(Date.parse(day));
export const endOfDay = (day: Day): string => firstIdAt(Date.parse(day) + dayMs);

const nothing: UsageSums = { tasks: 0, failed: 0, creditsUsed: 0, creditsRefunded: 0 };

export const addSums = (one = nothing, other: UsageSums): UsageSums => ({
  tasks: one.tasks + other.tasks,
  failed: one.failed + other.failed,
  creditsUsed: one.creditsUsed + other.creditsUsed,
  creditsRefunded: one.creditsRefunded + other.creditsRefunded,
});

/** Sums by task type and token. */
export class Usage {
  readonly #entries = new Map<string, UsageEntry>();

  constructor(entries: readonly UsageEntry[] = []) {
    for (const entry of entries) this.#add(entry);
  }

  get entries(): UsageEntry[] {
    const byKey = [...this.#entries].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return byKey.map(([, entry]) => entry);
  }

  /** Skips purchases, gifts and corrections of credits: only rows of tasks have a task type. */
  addRow({ amount, reason, taskType, tokenId }: LedgerRow): void {
    if (taskType === undefined) return;
    const of = { taskType, ...(tokenId !== undefined && { tokenId }) };
    if (reason === 'refund') this.#add({ ...of, tasks: 0, failed: 1, creditsUsed: 0, creditsRefunded: amount });
    else this.#add({ ...of, tasks: 1, failed: 0, creditsUsed: -amount, creditsRefunded: 0 });
  }

  plus(other: Usage): Usage {
    return new Usage([...this.entries, ...other.entries]);
  }

  #add(entry: UsageEntry): void {
    const key = `${entry.taskType} ${entry.tokenId ?? ''}`;
    this.#entries.set(key, { ...entry, ...addSums(this.#entries.get(key), entry) });
  }
}
