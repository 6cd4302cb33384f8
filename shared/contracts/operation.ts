/** The contract of an operation. */
import type * as z from 'zod';
import type { AnyErrorCode, ErrorCode } from './errors.ts';
import type { Feature } from './generation-contract.ts';
import type { Scope } from './scopes.ts';

/** When an operation is available, and its error codes while it is not. */
export interface Availability {
  /** What the account's plan must include. */
  readonly feature?: Feature;
  /** The error code while the operation is switched off. */
  readonly whenSwitchedOff?: 'FEATURE_DISABLED';
  /** The error code while no engine or payment gateway is available. */
  readonly whenEngineDown?: 'GENERATION_FAILED' | 'INTERNAL_ERROR';
}

/** What every operation declares, of the API and of the dashboard. */
export interface RequestContract extends Availability {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path parameters in braces: `/api/v1/tasks/{taskId}`. */
  readonly path: string;
  /** Whether it takes an `Idempotency-Key`. */
  readonly idempotent: boolean;
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Request headers besides `Authorization` and `Idempotency-Key`, by lower-case name. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType<Record<string, unknown>>;
  readonly success: {
    readonly status: 200 | 201 | 202;
    readonly data: z.ZodType;
    /** Of a list: the member of the data that has its rows. A row that cannot be shown costs itself alone. */
    readonly rows?: string;
    readonly cacheControl?: string;
  };
  /** A second success: the data of a dry run (`X-Dry-Run: true`), with status 200. */
  readonly dryRun?: z.ZodType;
  /** Its errors besides those that every operation of its kind has. */
  readonly errors: readonly AnyErrorCode[];
  readonly example: {
    readonly params?: Readonly<Record<string, string>>;
    readonly body?: Readonly<Record<string, unknown>>;
    readonly data: unknown;
    readonly dryRun?: unknown;
  };
}

/** An operation of the API. */
export interface OperationContract extends RequestContract {
  readonly errors: readonly ErrorCode[];
  readonly path: `/api/v1/${string}`;
  /** The part of the API that the operation is documented under. */
  readonly tag: string;
  /** Any one of these is sufficient; none means public. */
  readonly scopes: readonly Scope[];
  /** An addition of this service to the specification. */
  readonly extension?: true;
  /** Operations that can follow: which member of `data` each of their parameters is. */
  readonly links?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Whether the dashboard has it too, for a session in place of a token: at {@link sessionPathOf} of its path. */
  readonly dashboard?: true;
}

/** An operation of the dashboard alone: its caller is a session. */
export interface DashboardContract extends RequestContract {
  readonly path: `${typeof sessionRoot}${string}`;
  readonly idempotent: false;
}

/** What all routes of sessions begin with. */
export const sessionRoot = '/account/api/';

/** Where an operation of the API is served for sessions. */
export const sessionPathOf = ({ path }: Pick<OperationContract, 'path'>): DashboardContract['path'] =>
  `${sessionRoot}${path.slice('/api/v1/'.length)}`;

/** All errors of an operation: its own, those of authentication, and those of the gateway and the firewall. */
export const errorsOf = (contract: OperationContract): readonly ErrorCode[] => {
  const codes = new Set<ErrorCode>(contract.errors);
  if (contract.scopes.length > 0) codes.add('UNAUTHORIZED');
  if (contract.params) codes.add('NOT_FOUND');
  codes.add('VALIDATION_ERROR').add('FORBIDDEN').add('RATE_LIMITED').add('INTERNAL_ERROR');
  return [...codes.add('PROVIDER_UNAVAILABLE')];
};
