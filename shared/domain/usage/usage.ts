/** What an account's tasks cost, by day, task type and token: its ledger, added up. */
import { timestamp } from '../../platform/clock.ts';
import { firstIdAt, timeOfId } from '../../platform/ids.ts';
import type { LedgerRow } from '../accounts/ledger.ts';

export interface UsageSums {
  /** Tasks that were created. */
  readonly tasks: number;
  readonly creditsUsed: number;
  /** What tasks that failed returned, on the day on which it was returned. */
  readonly creditsRefunded: number;
}

export interface UsageEntry extends UsageSums {
  readonly taskType: string;
  /** Absent for tasks that were paid before the ledger named tokens. */
  readonly tokenId?: string;
}

/** A day of UTC in ISO 8601: `2026-11-21`. A row belongs to the day on which its id was made. */
export type Day = string;

const dayMs = 24 * 3_600_000;

export const dayAt = (milliseconds: number): Day => timestamp(milliseconds).slice(0, 10);
export const dayOfId = (id: string): Day => dayAt(timeOfId(id));

/** The days from one to another, both included; none if they are the other way round. */
export function daysBetween(from: Day, to: Day): Day[] {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return Array.from({ length: Math.max(0, days) }, (_, position) => dayAt(Date.parse(from) + position * dayMs));
}

/** Not after any id of the day, and after all of it. */
export const startOfDay = (day: Day): string => firstIdAt(Date.parse(day));
export const endOfDay = (day: Day): string => firstIdAt(Date.parse(day) + dayMs);

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

  /** Credits that were bought, given or taken back are no usage: only the rows of tasks have a type. */
  addRow({ amount, reason, taskType, tokenId }: LedgerRow): void {
    if (taskType === undefined) return;
    const of = { taskType, ...(tokenId !== undefined && { tokenId }) };
    if (reason === 'refund') this.#add({ ...of, tasks: 0, creditsUsed: 0, creditsRefunded: amount });
    else this.#add({ ...of, tasks: 1, creditsUsed: -amount, creditsRefunded: 0 });
  }

  plus(other: Usage): Usage {
    return new Usage([...this.entries, ...other.entries]);
  }

  #add(entry: UsageEntry): void {
    const key = `${entry.taskType} ${entry.tokenId ?? ''}`;
    const { tasks = 0, creditsUsed = 0, creditsRefunded = 0 } = this.#entries.get(key) ?? {};
    this.#entries.set(key, {
      ...entry,
      tasks: tasks + entry.tasks,
      creditsUsed: creditsUsed + entry.creditsUsed,
      creditsRefunded: creditsRefunded + entry.creditsRefunded,
    });
  }
}
