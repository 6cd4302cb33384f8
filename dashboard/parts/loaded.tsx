/** Shows a query's skeleton, error or data. */
import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isMissing, isTemporaryError } from '../api/api-error.ts';
import { useLanguage } from '../language/language.tsx';
import { Failure } from './failure.tsx';

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error'> & { readonly refetch: () => unknown };
  readonly rows?: number;
  /** Replaces the content if the object does not exist. */
  readonly missing?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, rows = 3, missing, children }: LoadedProps<Data>) {
  const { text } = useLanguage();
  if (query.data !== undefined) return children(query.data);
  if (missing !== undefined && isMissing(query.error)) return missing;
  if (query.error) {
    // There is no retry button if a retry cannot help.
    return <Failure error={query.error} {...(isTemporaryError(query.error) && { onRetry: () => query.refetch() })} />;
  }
  return (
    <Stack gap="sm" role="status" aria-label={text.common.loading}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
        <Skeleton key={row} height={36} />
      ))}
    </Stack>
  );
}
