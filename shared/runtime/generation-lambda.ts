/**
 * Serves a generation operation: the contract declares its rules, and the function supplies the inspection and the
 * cost.
 */
import type * as z from 'zod';
import type { GenerationContract } from '../contracts/generation-contract.ts';
import type { OperationId, Registry } from '../contracts/registry.ts';
import { pricesRow } from '../domain/catalog/prices-row.ts';
import { type GenerationRules, requestGeneration } from '../domain/generation/request-generation.ts';
import { accounts, catalog, circuits, files, idempotency } from '../domain/store-ports.ts';
import { startTask } from '../domain/tasks/start-task.ts';
import { outbound } from '../platform/outbound.ts';
import { storedObjects } from '../platform/stored-objects.ts';
import { stepFunctions } from '../platform/workflow.ts';
import { addressProblems } from './address-problems.ts';
import type { PortFactories } from './context.ts';
import { operationLambda } from './operation-lambda.ts';

type Stores = 'accounts' | 'catalog' | 'circuits' | 'idempotency';

type Names = 'outbound' | 'workflow';

type Extras = 'avatars' | 'files' | 'products' | 'storedObjects' | 'videoResolver';

/** Ports of operations whose requests can refer to uploaded files. */
export const withFiles = { files, storedObjects };

/** Requires operations that result in a video to declare which video they promise. */
type RulesOf<Contract, Rules extends { readonly promises?: unknown }> = Contract extends { readonly medium: 'video' }
  ? Rules & Required<Pick<Rules, 'promises'>>
  : Omit<Rules, 'promises'>;

/** The implementation of a generation operation, by its id. */
export type Generation<Id extends OperationId, Inspected = undefined> =
  Registry[Id] extends Readonly<Record<'body', infer Body extends z.ZodType>>
    ? RulesOf<Registry[Id], GenerationRules<z.output<Body>, Inspected>>
    : never;

export const generationLambda = <Contract extends GenerationContract, Inspected>(
  contract: Contract,
  rules: GenerationRules<z.output<Contract['body']>, Inspected>,
  /**
   * `videoResolver` is for operations that accept links to video sites; `avatars` and `products` are for the Studio.
   */
  ports: Partial<PortFactories<Names | Extras>> = {},
) =>
  operationLambda<GenerationContract, Names | Stores>(
    contract,
    (request, context) =>
      requestGeneration(
        { ...request, body: request.body as z.output<Contract['body']> & typeof request.body },
        context,
        contract,
        rules,
      ),
    { accounts, catalog, circuits, idempotency, outbound, workflow: stepFunctions, ...ports },
    {
      findAddressProblems: addressProblems,
      // The first call may have crashed after the commit and before the start; a running execution is not started
      // twice.
      onReplay: async ({ taskId }, context) => (taskId === undefined ? undefined : startTask(context, taskId)),
      // Refreshes the cached catalog and circuits while the token is being checked.
      prefetch: ({ catalog, circuits }) => Promise.all([catalog.read(pricesRow), circuits.read()]),
      // Skips what needs a network: inspecting inputs and reading the account.
      warmUpWith: (request, context) => {
        const { feature: _feature, paidSeconds: _seconds, ...always }: GenerationContract = contract;
        const outbound = { ...context.outbound, admits: async () => true };
        return requestGeneration(request, { ...context, outbound }, always, { cost: () => 1 });
      },
    },
  );
