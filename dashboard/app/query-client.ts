/** Retries reads if that may help, and shows the welcome page when the session has ended. */
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isTemporaryError } from '../api/api-error.ts';

/** The client of pages whose session an operation returns. */
export function queryClientFor(sessionOperation: string): QueryClient {
  const queryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, { queryKey }) {
        const ended = error instanceof ApiError && error.status === 401 && queryKey[0] !== sessionOperation;
        if (ended) void queryClient.resetQueries({ queryKey: [sessionOperation] });
      },
    }),
    defaultOptions: {
      queries: { retry: (failures, error) => failures < 2 && isTemporaryError(error), staleTime: 2000 },
    },
  });
  return queryClient;
}
