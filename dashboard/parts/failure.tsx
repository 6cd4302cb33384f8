/** What went wrong, in words that say what to do. */
import { Alert, Button, Stack } from '@mantine/core';
import { ApiError } from '../api/api-error.ts';
import type { Dictionary } from '../language/en.ts';
import { useLanguage } from '../language/language.tsx';
import { Icon } from './icon.tsx';

/** Validation errors name the field and what it accepts: they are shown as the service wrote them. */
export function failureText(error: unknown, { failures }: Dictionary): string {
  if (!(error instanceof ApiError)) return failures.server;
  if (error.code === 'NETWORK') return failures.network;
  const known: Readonly<Record<string, string>> = failures.codes;
  if (Object.hasOwn(known, error.code)) return known[error.code] ?? error.message;
  if (error.status === 429) return failures.rateLimited(Math.max(1, error.retryAfterSeconds));
  if (error.status === 404) return failures.notFound;
  if (error.status === 403) return failures.forbidden;
  return error.status >= 500 ? failures.server : error.message;
}

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: () => unknown;
}

export function Failure({ error, onRetry }: FailureProps) {
  const { text } = useLanguage();
  return (
    <Alert color="red" icon={<Icon name="alert" />} title={text.failures.title} role="alert">
      <Stack gap="sm" align="flex-start">
        {failureText(error, text)}
        {onRetry && (
          <Button size="xs" variant="default" onClick={() => void onRetry()}>
            {text.common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
