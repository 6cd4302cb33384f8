/** Types of an operation's request and result, derived from its contract. */
import type * as z from 'zod';
import type { DashboardOperationId, DashboardRegistry } from '../contracts/dashboard.ts';
import type { OperateOperationId, OperateRegistry } from '../contracts/operate.ts';
import type { OperateContract, OperationContract, RequestContract } from '../contracts/operation.ts';
import type { OperationId, Registry } from '../contracts/registry.ts';
import type { Idempotency, Replay } from '../domain/idempotency/idempotency.ts';
import type { Readable } from '../domain/readable-rows.ts';
import type { Actor, OperatorActor, SessionActor, TokenActor } from './actor.ts';
import type { ApiErrorDetails } from './api-error.ts';
import type { PortName, With } from './context.ts';

type Part<Contract, Name extends string> =
  Contract extends Readonly<Record<Name, infer Schema extends z.ZodType>> ? z.output<Schema> : undefined;

type ApiActorOf<Contract extends OperationContract> = Contract['scopes'] extends readonly []
  ? Extract<Actor, { kind: 'anonymous' }>
  : TokenActor;

/** The actors that may call: sessions too, if the dashboard shares the operation. */
type ActorOf<Contract extends RequestContract> = Contract extends OperationContract
  ? ApiActorOf<Contract> | (Contract extends { readonly dashboard: true } ? SessionActor : never)
  : Contract extends OperateContract
    ? OperatorActor
    : SessionActor;

export interface RequestOf<Contract extends RequestContract> {
  readonly params: Part<Contract, 'params'>;
  readonly query: Part<Contract, 'query'>;
  readonly headers: Part<Contract, 'headers'>;
  readonly body: Part<Contract, 'body'>;
  readonly actor: ActorOf<Contract>;
  /** Cookies that the response sets. */
  readonly cookies: string[];
  /** Sets `Retry-After` of a successful response: when to poll again. */
  readonly retryAfter: (seconds: number) => void;
  /** The request's idempotency key; present if the request had an `Idempotency-Key`. */
  readonly idempotency: Idempotency | undefined;
  /** The id of the request, which the response and the log also have. */
  readonly requestId: string;
  /** Rejects the request with one of the contract's errors. */
  readonly fail: (
    code: Contract['errors'][number] | 'FORBIDDEN' | 'VALIDATION_ERROR',
    details?: ApiErrorDetails,
  ) => never;
}

/** The data of a list whose rows were read with {@link Readable}, so that unreadable ones have been left out. */
type Listed<Data, Success> = Success extends { readonly rows: infer Name extends keyof Data }
  ? Omit<Data, Name> & { readonly [Rows in Name]: Data[Rows] extends (infer Row)[] ? Readable<Row> : never }
  : Data;

type DataOf<Contract extends RequestContract> = Contract extends {
  readonly success: infer Success extends { readonly data: z.ZodType };
  readonly dryRun?: infer DryRun;
}
  ? Listed<z.input<Success['data']>, Success> | (DryRun extends z.ZodType ? z.input<DryRun> : never)
  : never;

/** The implementation of an operation; its contract declares everything else. */
export type OperationOf<Contract extends RequestContract, Names extends PortName = never> = (
  request: RequestOf<Contract>,
  context: With<Names>,
) => Promise<DataOf<Contract> | Replay>;

/** The implementation of an API operation, by its id. */
export type Operation<Id extends OperationId, Names extends PortName = never> = OperationOf<Registry[Id], Names>;

/** The implementation of a dashboard operation, by its id. */
export type DashboardOperation<Id extends DashboardOperationId, Names extends PortName = never> = OperationOf<
  DashboardRegistry[Id],
  Names | 'sessions'
>;

/** The implementation of an operation of the operators' pages, by its id. */
export type OperateOperation<Id extends OperateOperationId, Names extends PortName = never> = OperationOf<
  OperateRegistry[Id],
  Names
>;
