/**
 * For how long an account's tasks keep their results and inputs, where its owner wants less than the service keeps by
 * default. Each task stores the periods that its account had when it was created, so a change concerns only new tasks.
 */
import * as z from 'zod';
import { once } from '../contracts/once.ts';

export interface Retention {
  /** After how many days results and their posters are erased; absent for as long as the stage keeps results. */
  readonly resultsDays?: number;
  /** After how many days the texts and addresses of a request are erased; absent for as long as the task is there. */
  readonly inputsDays?: number;
}

/** The stored form. */
export const RetentionRow = once(() =>
  z.object({ resultsDays: z.exactOptional(z.int()), inputsDays: z.exactOptional(z.int()) }),
);

export const isSameRetention = (one: Retention = {}, other: Retention = {}): boolean =>
  one.resultsDays === other.resultsDays && one.inputsDays === other.inputsDays;

/** The periods of an account as its owner and operators see them: null for the default. */
export const presentRetention = ({ resultsDays, inputsDays }: Retention = {}) => ({
  resultsDays: resultsDays ?? null,
  inputsDays: inputsDays ?? null,
});

export const requestedRetention = ({ resultsDays, inputsDays }: ReturnType<typeof presentRetention>): Retention => ({
  ...(resultsDays !== null && { resultsDays }),
  ...(inputsDays !== null && { inputsDays }),
});
