/** How long new tasks of the account keep their results and inputs. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { retentionDaysLimit } from '../../../shared/contracts/limits.ts';
import type { Data } from '../../api/call.ts';
import { useApi, useCall } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';

type Periods = Data<typeof dashboardContracts.getRetention>;

/** The days that were entered; null if the field is empty. */
function daysOf(entered: string): number | null | 'invalid' {
  const digits = entered.trim();
  if (digits === '') return null;
  const days = /^\d+$/.test(digits) ? Number(digits) : 0;
  return days >= 1 && days <= retentionDaysLimit ? days : 'invalid';
}

interface DaysFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function DaysField({ onChange, value, ...props }: DaysFieldProps) {
  const { text, format } = useLanguage();
  return (
    <TextInput
      {...props}
      inputMode="numeric"
      maw={420}
      value={value}
      error={daysOf(value) === 'invalid' && text.retention.invalid(format.number(retentionDaysLimit))}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function RetentionForm({ found }: { readonly found: Periods }) {
  const { text } = useLanguage();
  const queries = useQueryClient();
  const [results, setResults] = useState(String(found.resultsDays ?? ''));
  const [inputs, setInputs] = useState(String(found.inputsDays ?? ''));
  const saving = useCall(dashboardContracts.setRetention, {
    onSuccess: () => queries.invalidateQueries({ queryKey: [dashboardContracts.getRetention.operationId] }),
  });
  const edit = (set: (value: string) => void) => (value: string) => {
    saving.reset();
    set(value);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const [resultsDays, inputsDays] = [daysOf(results), daysOf(inputs)];
    if (resultsDays !== 'invalid' && inputsDays !== 'invalid') saving.mutate({ body: { resultsDays, inputsDays } });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <DaysField
          label={text.retention.results}
          description={text.retention.resultsHint}
          value={results}
          onChange={edit(setResults)}
        />
        <DaysField
          label={text.retention.inputs}
          description={text.retention.inputsHint}
          value={inputs}
          onChange={edit(setInputs)}
        />
        <Group gap="sm">
          <Button type="submit" variant="default" loading={saving.isPending}>
            {text.retention.save}
          </Button>
          <Text size="sm" role="status">
            {saving.isSuccess && text.retention.saved}
          </Text>
        </Group>
        {saving.isError && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {failureText(saving.error, text)}
          </Text>
        )}
      </Stack>
    </form>
  );
}

export function Retention() {
  const { text } = useLanguage();
  const query = useApi(dashboardContracts.getRetention);
  return (
    <Section title={text.retention.title} hint={text.retention.hint}>
      <Loaded query={query}>{(found) => <RetentionForm found={found} />}</Loaded>
    </Section>
  );
}
