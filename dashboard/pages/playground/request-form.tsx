/** The form of an operation, with the price of its current values and the button that sends it. */
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { Section } from '../../parts/section.tsx';
import type { Field, Values } from './fields.ts';
import { FormFields } from './form-fields.tsx';
import { pickers } from './pickers.tsx';
import { Price } from './price.tsx';
import { foundProblems, type Problems, problemsOf } from './problems.ts';
import { type Ending, endings, type Request } from './request.ts';
import type { Sending } from './use-sending.ts';
import { useTexts } from './use-texts.ts';

interface RequestFormProps {
  readonly request: Request;
  readonly fields: readonly Field[];
  readonly sending: Sending;
  readonly onValues: (values: Values) => void;
  readonly onEnding: (ending: Ending | undefined) => void;
}

function Endings({ ending, onEnding }: { readonly ending: Ending | undefined } & Pick<RequestFormProps, 'onEnding'>) {
  const texts = useTexts();
  return (
    <NativeSelect
      label={texts.ending}
      value={ending ?? ''}
      data={[{ value: '', label: texts.success }, ...endings.map((value) => ({ value, label: texts.endings[value] }))]}
      onChange={({ currentTarget: { value } }) => onEnding(endings.find((name) => name === value))}
    />
  );
}

/** Moves the focus to the first field that has a problem. */
function focusOn(form: HTMLFormElement, problems: Problems, fields: readonly Field[]): void {
  const first = fields.find(({ name }) => name in problems);
  if (first) form.querySelector<HTMLElement>(`[data-field="${first.name}"] :is(input, textarea, select)`)?.focus();
}

export function RequestForm({ request, fields, sending, onValues, onEnding }: RequestFormProps) {
  const texts = useTexts();
  const { text } = useLanguage();
  const [found, setFound] = useState<Problems>({});
  const { contract, ending, mode, values } = request;
  const rejected = problemsOf(sending.error, fields);
  const problems = { ...rejected, ...found };
  const other = problems[''] ?? (sending.error && !rejected ? failureText(sending.error, text) : undefined);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const now = foundProblems(contract.body, request.body, fields);
        setFound(now);
        if (Object.keys(now).length === 0) sending.send();
        else focusOn(event.currentTarget, now, fields);
      }}
    >
      <Section title={texts.request}>
        <FormFields
          fields={fields}
          values={values}
          problems={problems}
          mode={mode}
          pickers={pickers}
          onChange={(changed) => {
            setFound({});
            onValues(changed);
          }}
        />
        {mode === 'test' && <Endings ending={ending} onEnding={onEnding} />}
        <Stack gap="sm">
          <Price request={request} fields={fields} told={other} />
          {other !== undefined && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {other}
            </Text>
          )}
          <Group>
            <Button type="submit" loading={sending.isPending}>
              {texts.send}
            </Button>
          </Group>
        </Stack>
      </Section>
    </form>
  );
}
