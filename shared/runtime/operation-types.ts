/** What an operation is given and what it must return, read from its contract. */
import type * as z from 'zod';
import type { OperationId, Registry } from '../contracts/registry.ts';
import type { Scope } from '../contracts/scopes.ts';
import type { Idempotency, StoredResponse } from '../domain/idempotency/idempotency.ts';
import type { PortName, With } from './context.ts';
import type { RefusalDetails } from './refusal.ts';

/** Who calls: the account, by which token. */
export interface Caller {
  readonly accountId: string;
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
}

type Part<Id extends OperationId, Name extends string> =
  Registry[Id] extends Readonly<Record<Name, infer Schema extends z.ZodType>> ? z.output<Schema> : undefined;

type FailureCode<Id extends OperationId> = Registry[Id]['errors'][number] | 'FORBIDDEN' | 'VALIDATION_ERROR';

export interface OperationRequest<Id extends OperationId> {
  readonly params: Part<Id, 'params'>;
  readonly query: Part<Id, 'query'>;
  readonly headers: Part<Id, 'headers'>;
  readonly body: Part<Id, 'body'>;
  readonly caller: Registry[Id]['scopes'] extends readonly [] ? undefined : Caller;
  /** Present when the request carried an `Idempotency-Key`. */
  readonly idempotency: Idempotency | undefined;
  /** Refuses the request with one of the contract's errors. */
  readonly fail: (code: FailureCode<Id>, details?: RefusalDetails) => never;
  /** Ends the request with the answer that its key already stands for. */
  readonly replay: (response: StoredResponse) => never;
}

export type OperationData<Id extends OperationId> = Registry[Id] extends {
  readonly success: { readonly data: infer Data extends z.ZodType };
  readonly dryRun?: infer DryRun;
}
  ? z.input<Data> | (DryRun extends z.ZodType ? z.input<DryRun> : never)
  : never;

/** What one endpoint decides; everything else about it is in its contract. */
export type Operation<Id extends OperationId, Names extends PortName = never> = (
  request: OperationRequest<Id>,
  context: With<Names>,
) => Promise<OperationData<Id>>;
