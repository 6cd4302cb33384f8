/** Hooks that read and call operations. */
import {
  queryOptions,
  type UseMutationOptions,
  type UseQueryOptions,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { isRateLimit } from './api-error.ts';
import { type Callable, call, type Data, type Request } from './call.ts';
import { endOfPause, pauseFor } from './pause.ts';
import { notePollHint } from './poll-hints.ts';

type ReadOptions<Contract extends Callable> = Omit<UseQueryOptions<Data<Contract>>, 'queryKey' | 'queryFn'>;

/** The query for an operation and its request, identified by both. */
export const apiQuery = <Contract extends Callable>(contract: Contract, request: Request<Contract> = {}) =>
  queryOptions<Data<Contract>>({
    queryKey: [contract.operationId, request],
    queryFn: async ({ queryKey, signal }) => {
      await endOfPause(signal);
      const onPollHint = (seconds: number) => notePollHint(queryKey, seconds);
      return call(contract, request, { signal, onPollHint }).catch((error: unknown) => {
        if (isRateLimit(error)) pauseFor(Math.max(1, error.retryAfterSeconds));
        throw error;
      });
    },
  });

/** Reads an operation's data. */
export const useApi = <Contract extends Callable>(
  contract: Contract,
  request: Request<Contract> = {},
  options: ReadOptions<Contract> = {},
) => useQuery<Data<Contract>>({ ...apiQuery(contract, request), ...options });

type CallOptions<Contract extends Callable> = Omit<
  UseMutationOptions<Data<Contract>, Error, Request<Contract>>,
  'mutationFn'
>;

/** A call that changes something. Its state ends with the component, because it may contain secrets. */
export const useCall = <Contract extends Callable>(contract: Contract, options: CallOptions<Contract> = {}) =>
  useMutation<Data<Contract>, Error, Request<Contract>>({
    mutationFn: (request) => call(contract, request),
    gcTime: 0,
    ...options,
  });
