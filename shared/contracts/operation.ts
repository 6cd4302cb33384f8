/** The contract of an operation. */
import type * as z from 'zod';
import type { AnyErrorCode, ErrorCode } from './errors.ts';
import type { Feature } from './features.ts';
import type { OperatorRole } from './operator-roles.ts';
import type { Scope } from './scopes.ts';

/** When an operation is available, and which errors it returns while it is not. */
export interface Availability {
  /** The feature that the account's plan must include. */
  readonly feature?: Feature;
  /** The error code while an operator has switched the operation off. */
  readonly whenSwitchedOff?: 'FEATURE_DISABLED';
  /** The error code while no engine or payment gateway is available. */
  readonly whenUnavailable?: 'GENERATION_FAILED' | 'INTERNAL_ERROR';
}

/** Whether an operation uses the face, the motion or the voice of a person. */
export interface LikenessUse {
  /**
   * Which requests use a person's likeness, so that a stage may require a declaration of consent: all of them, or those
   * in which this field is not empty.
   */
  readonly usesLikeness?: 'always' | { readonly with: string };
}

/** What every operation declares, whether of the API or of the dashboard. */
export interface RequestContract extends Availability, LikenessUse {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path, with parameters in braces: `/api/v1/tasks/{taskId}`. */
  readonly path: string;
  /**
   * Whether operators who see an account as its owner does may not read this. They may call nothing but the other
   * operations with the method GET, which therefore must change nothing for them: not even the daily credits of a test
   * account. Only sums that are kept for later reads, those of the usage of a day, may be written.
   */
  readonly isHiddenFromViews?: true;
  /** Whether the operation accepts an `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** Whether a POST without key has no further effect when it is repeated. */
  readonly repeatable?: true;
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  /** Whether a malformed path parameter is rejected as invalid; by default, what it would identify is not found. */
  readonly checksParams?: true;
  readonly query?: z.ZodObject;
  /** Request headers besides `Authorization` and `Idempotency-Key`, by lower-case name. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType<Record<string, unknown>>;
  readonly success: {
    readonly status: 200 | 201 | 202;
    readonly data: z.ZodType;
    /** The meaning of the status; for 202, by default, that a task was created. */
    readonly description?: string;
    /**
     * For a list: the member of the data that holds its rows. An invalid row is left out, and the others are still
     * returned.
     */
    readonly rows?: string;
    /** The columns of the table that a client gets that accepts `text/csv`, for a parsed query. */
    readonly csv?: (query: unknown) => readonly string[];
    readonly cacheControl?: string;
    /** Whether the response says in `Retry-After` when to repeat the request: always, or while a task in it is open. */
    readonly retryAfter?: 'always' | 'while-open';
  };
  /** The data of a dry run (`X-Dry-Run: true`), returned with status 200. */
  readonly dryRun?: z.ZodType;
  /** The operation's error codes, in addition to those that all operations of its kind have. */
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
  /** The section of the documentation that the operation belongs to. */
  readonly tag: string;
  /** The scopes of which a token needs any one; an empty list means that the operation is public. */
  readonly scopes: readonly Scope[];
  /** When the operation is rejected with these codes, besides what their descriptions say. */
  readonly furtherLimits?: Partial<Readonly<Record<'RATE_LIMITED', string>>>;
  /** Whether the operation is not in the API's specification. */
  readonly extension?: true;
  /** Operations that can follow, and which member of `data` supplies each of their parameters. */
  readonly links?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Whether the dashboard also has the operation, authenticated by a session, at {@link sessionPathOf} of its path. With
   * `X-Test-Mode: true`, a session acts for the test account, where test tokens are accepted. Of the operations that
   * create tasks it is the batch alone, so that the others admit tokens only.
   */
  readonly dashboard?: true;
}

/** An operation that only the dashboard has; its caller is a session. */
export interface DashboardContract extends RequestContract {
  /** Whether sessions of closed accounts may call it, too. */
  readonly isForClosed?: true;
  readonly path: `${typeof sessionRoot}${string}`;
  readonly idempotent: false;
}

/** An operation that only the operators' pages have; its caller is the session of an operator. */
export interface OperateContract extends RequestContract {
  readonly path: `${typeof operateRoot}${string}`;
  /** The least role that may call the operation. */
  readonly operator: OperatorRole;
}

/** The path prefix of all operations that operators call. */
export const operateRoot = '/operate/api/';

/** The path prefix of all operations that sessions call. */
export const sessionRoot = '/account/api/';

/** The path at which sessions call an operation of the API. */
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
