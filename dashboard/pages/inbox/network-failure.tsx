/** Explains why an action failed at the social network. */
import { Text } from '@mantine/core';
import { ApiError } from '../../api/api-error.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';

export function NetworkFailure({ error }: { readonly error: unknown }) {
  const { text } = useLanguage();
  if (error === null || error === undefined) return null;
  const isKnown = error instanceof ApiError && Object.hasOwn(text.inbox.codes, error.code);
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {isKnown ? labelOf(text.inbox.codes, error.code) : failureText(error, text)}
    </Text>
  );
}
