/**
 * The definition of an act, which is something that operators can do. The command line and the operators' pages perform
 * and record acts by it.
 */
import type * as z from 'zod';
import type { OperatorRole } from '../../contracts/operator-roles.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import type { ActSubject } from '../operator-keys.ts';
import type { Operator } from './operator.ts';

/** The values that an act changes, as the log shows them: no secrets, and no texts or addresses of customers. */
export type Facts = Readonly<Record<string, unknown>>;

/** Who acts, why and when. */
export interface By {
  readonly operator: Operator;
  readonly reason: string;
  readonly at: number;
}

/** The subject of an act, as it was before the act. */
export interface Found<State> {
  /** The account or row of the catalog whose list of acts contains the act. */
  readonly of?: ActSubject;
  /** What exactly the act changes, such as `token 0193…`. */
  readonly subject: string;
  readonly before?: Facts;
  /** What `find` has read and `perform` needs. */
  readonly state: State;
}

export interface Acting<State> extends By {
  readonly found: Found<State>;
  /** The id of the act's entry in the log. */
  readonly actId: string;
  /**
   * For acts with one write: a table that adds the log entry to its next write, with the values that the act changes.
   * Either both are committed or neither.
   */
  readonly recording: (after?: Facts) => Table;
}

/** An act in steps failed after some of them: the log shows what they changed. */
export class FailedHalfWay extends Error {
  override readonly name = 'FailedHalfWay';
  readonly changed: Facts;
  constructor(changed: Facts, cause: unknown) {
    super('the act failed half-way', { cause });
    this.changed = changed;
  }
}

/**
 * An action of an operator, which is recorded in the log of acts. With `commits: 'at-once'` it makes one write, through
 * `recording`, which also writes the log entry; with `in-steps` the entry is written before the first step, and
 * completed after the last one.
 */
export interface Act<Needs, Schema extends z.ZodType, State, Result extends object> {
  readonly name: string;
  /** The least role that may perform it. */
  readonly role: Exclude<OperatorRole, 'viewer'>;
  /** What the act does, in the imperative. */
  readonly summary: string;
  /** Needs permissions that only an operator's own access to AWS or the machine has, so that pages cannot offer it. */
  readonly isForCommandLine?: true;
  /** Needs the browser and the session of an operator, so that no command can offer it. */
  readonly isForPages?: true;
  readonly input: () => Schema;
  readonly commits: 'at-once' | 'in-steps';
  /** Reads the subject of the act. @throws {Rejection} not-found, invalid */
  readonly find: (needs: Needs, input: z.output<Schema>, by: By) => Promise<Found<State>>;
  /** The values that the act is going to set; absent if only its result shows them. */
  readonly after?: (input: z.output<Schema>, found: Found<State>) => Facts;
  /** @throws {Rejection} */
  readonly perform: (needs: Needs, input: z.output<Schema>, acting: Acting<State>) => Promise<Result>;
  /** The values that the act has set, if its result shows them. */
  readonly changed?: (result: Result) => Facts;
  /** Whether the result contains a secret that is shown once. */
  readonly isSecret?: true;
}

/** An act without its specific types, for the list of all acts. */
export interface AnyAct
  extends Pick<
    Act<never, z.ZodType, never, object>,
    'name' | 'role' | 'summary' | 'isForCommandLine' | 'isForPages' | 'commits'
  > {
  readonly input: () => z.ZodType;
}

/** Infers the types of an act from its functions. */
export const act = <Needs, Schema extends z.ZodType, State, Result extends object>(
  definition: Act<Needs, Schema, State, Result>,
) => definition;
