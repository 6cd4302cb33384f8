/** Serves an operation that the API and the dashboard share. */
import type { OperationContract } from '../contracts/operation.ts';
import { authenticateCaller } from './authenticate-caller.ts';
import type { PortFactories, PortName } from './context.ts';
import { type Hooks, operationLambda } from './operation-lambda.ts';
import type { OperationOf } from './operation-types.ts';

export const sharedLambda = <
  Contract extends OperationContract & { readonly dashboard: true },
  Names extends PortName = never,
>(
  contract: Contract,
  operation: OperationOf<Contract, Names>,
  ports?: PortFactories<Names>,
  hooks: Omit<Hooks<Contract, Names>, 'authenticate'> = {},
) =>
  operationLambda<Contract, Names>(contract, operation, ports, {
    ...hooks,
    authenticate: authenticateCaller(contract),
  });
