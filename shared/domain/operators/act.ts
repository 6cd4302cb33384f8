/** What operators can do: the definition of an act, from which the command line and the pages perform and record it. */
import type * as z from 'zod';
import type { OperatorRole } from '../../contracts/operator-roles.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import type { ActSubject } from '../operator-keys.ts';
import type { Operator } from './operator.ts';

/** What an act changes, as the log shows it: no secrets, and no texts or addresses of customers. */
export type Facts = Readonly<Record<string, unknown>>;

/** Who acts, why and when. */
export interface By {
  readonly operator: Operator;
  readonly reason: string;
  readonly at: number;
}

/** What an act is about, as it is before. */
export interface Found<State> {
  /** The account or row of the catalog whose list of acts contains this one. */
  readonly of?: ActSubject;
  /** What exactly the act changes, such as `token 0193…`. */
  readonly subject: string;
  readonly before?: Facts;
  /** What the act needs of what was read. */
  readonly state: State;
}

export interface Acting<State> extends By {
  readonly found: Found<State>;
  /** The id of the act's entry in the log. */
  readonly actId: string;
  /**
   * For acts with one write: the table whose next write also records the act, with what it changes. Neither is ever
   * committed without the other.
   */
  readonly recording: (after?: Facts) => Table;
}

/**
 * An act. With `commits: 'at-once'` its only write goes through `recording`; with `in-steps` the entry is written
 * before the first step, and its end after the last one.
 */
export interface Act<Needs, Schema extends z.ZodType, State, Result extends object> {
  readonly name: string;
  /** The least role that may perform it. */
  readonly role: Exclude<OperatorRole, 'viewer'>;
  /** What it does, in the imperative. */
  readonly summary: string;
  /** Needs permissions that only an operator's own access to AWS or the machine has, so that pages cannot offer it. */
  readonly isForCommandLine?: true;
  readonly input: () => Schema;
  readonly commits: 'at-once' | 'in-steps';
  /** Reads what the act is about. @throws {Rejection} not-found, invalid */
  readonly find: (needs: Needs, input: z.output<Schema>, by: By) => Promise<Found<State>>;
  /** What it changes; undefined if only the result shows it. */
  readonly after?: (input: z.output<Schema>, found: Found<State>) => Facts;
  /** @throws {Rejection} */
  readonly perform: (needs: Needs, input: z.output<Schema>, acting: Acting<State>) => Promise<Result>;
  /** What it has changed, if the result shows it. */
  readonly changed?: (result: Result) => Facts;
  /** Whether the result contains a secret that is shown once. */
  readonly isSecret?: true;
}

/** An act whose types are erased, for the table of all acts. */
export interface AnyAct
  extends Pick<Act<never, z.ZodType, never, object>, 'name' | 'role' | 'summary' | 'isForCommandLine' | 'commits'> {
  readonly input: () => z.ZodType;
}

/** Infers the types of an act from its functions. */
export const act = <Needs, Schema extends z.ZodType, State, Result extends object>(
  definition: Act<Needs, Schema, State, Result>,
) => definition;
