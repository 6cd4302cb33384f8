/** The daily credits of test tokens, and a button to top them up. */
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { useCall } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { Section } from '../../parts/section.tsx';

export function TestCredits({ credits }: { readonly credits: number }) {
  const { text, format } = useLanguage();
  const queries = useQueryClient();
  const fill = useCall(dashboardContracts.fillTestCredits, {
    onSuccess: () => queries.invalidateQueries({ queryKey: [dashboardContracts.listTokens.operationId] }),
  });
  return (
    <Section title={text.tokens.testCredits}>
      <Group justify="space-between">
        <Text size="sm">{text.tokens.testCreditsHint(format.number(credits))}</Text>
        <Button size="xs" variant="default" loading={fill.isPending} onClick={() => fill.mutate({})}>
          {text.tokens.fillUp}
        </Button>
      </Group>
      {fill.error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {failureText(fill.error, text)}
        </Text>
      )}
    </Section>
  );
}
