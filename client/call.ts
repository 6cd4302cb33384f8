/** The types of calls: what an operation takes, and what it returns. */
import type { ApiResponse } from './envelope.ts';
import type { Operations } from './operations.ts';

export type OperationId = keyof Operations;

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Makes repeated calls safe: for 24 hours, the same key gets the same response. By default, each call has a new key.
   */
  readonly idempotencyKey?: string | undefined;
  /** Aborts the call and its waits; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long the call may take from its first attempt, including retries. */
  readonly timeoutSeconds?: number;
  /** How many times the call is retried at most. */
  readonly maxRetries?: number;
}

/** Request values, in which undefined members are not sent. */
type Sent<Values> = {
  readonly [Name in keyof Values]: Values[Name] | (undefined extends Values[Name] ? undefined : never);
};
type Query<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined };

type Request<Operation> = {
  readonly [Part in keyof Operation & 'params']: Operation[Part];
} & {
  readonly [Part in keyof Operation & 'body']: Sent<Operation[Part]>;
} & {
  readonly [Part in keyof Operation & 'query']?: Query<Operation[Part]>;
} & CallOptions;

type Given<Operation> = Operation extends { params: unknown } | { body: unknown }
  ? [request: Request<Operation>]
  : [request?: Request<Operation>];

/**
 * Calls an operation. `dryRun` of a generation returns what the same call would cost; `each` of a list iterates over all
 * rows. @throws {CallError}
 */
type Call<Operation extends { status: number; data: unknown }> = ((
  ...given: Given<Operation>
) => Promise<ApiResponse<Operation['status'], Operation['data']>>) &
  (Operation extends { dryRun: infer Data }
    ? { readonly dryRun: (...given: Given<Operation>) => Promise<ApiResponse<200, Data>> }
    : unknown) &
  (Operation extends { row: infer Row }
    ? { readonly each: (...given: Given<Operation>) => AsyncGenerator<Row, void, void> }
    : unknown);

/** One function for each operation, by operationId. */
export type Calls = { readonly [Id in OperationId]: Call<Operations[Id]> };

/** A request to any operation. */
export interface AnyRequest extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}
