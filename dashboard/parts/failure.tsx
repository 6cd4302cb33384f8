/** Shows an error in place of what could not be loaded. */
import { Alert, Button, Stack } from '@mantine/core';
import { useLanguage } from '../language/language.tsx';
import { failureText } from './failure-text.ts';
import { Icon } from './icon.tsx';

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
