/** Retries reads if that may help, and shows the welcome page when the session has ended. */
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { dashboardContracts } from '../../shared/contracts/dashboard.ts';
import { ApiError, isTemporaryError } from '../api/api-error.ts';

const sessionKey = [dashboardContracts.getSession.operationId];

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { queryKey }) {
      const ended = error instanceof ApiError && error.status === 401 && queryKey[0] !== sessionKey[0];
      if (ended) void queryClient.resetQueries({ queryKey: sessionKey });
    },
  }),
  defaultOptions: {
    queries: { retry: (failures, error) => failures < 2 && isTemporaryError(error), staleTime: 2000 },
  },
});
