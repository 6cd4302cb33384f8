/** The playground: every generation operation as a form, its price, its result beside it, and the code of the call. */
import './playground.css';
import { Grid, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { generateContracts } from '../../../shared/contracts/generate.ts';
import type { GenerationId } from '../../../shared/contracts/generate-batch.ts';
import { type TokenMode, tokenModes } from '../../../shared/contracts/token-modes.ts';
import { useLanguage } from '../../language/language.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Page } from '../../parts/page.tsx';
import { Code } from './code.tsx';
import { exampleOf, fieldsOf, type Values } from './fields.ts';
import { History } from './history.tsx';
import { Outcome } from './outcome.tsx';
import { useTestPurse } from './price.tsx';
import { type Ending, earlierRequest, requestOf } from './request.ts';
import { RequestForm } from './request-form.tsx';
import { useSending } from './use-sending.ts';
import { useTexts } from './use-texts.ts';

const route = getRouteApi('/playground');

const operations = Object.keys(generateContracts) as GenerationId[];

interface ChoiceProps {
  readonly operation: GenerationId;
  readonly mode: TokenMode;
  readonly onChange: (operation: GenerationId, mode: TokenMode) => void;
}

/** The operation, among those that result in the same kind of file, and the mode. */
function Choice({ operation, mode, onChange }: ChoiceProps) {
  const texts = useTexts();
  const { text } = useLanguage();
  const groups = (['audio', 'image', 'video'] as const).map((medium) => ({
    group: text.media[medium],
    items: operations
      .filter((id) => generateContracts[id].medium === medium)
      .map((value) => ({ value, label: text.taskTypes[generateContracts[value].taskType] })),
  }));
  return (
    <div className="playground-choice">
      <NativeSelect
        label={texts.operation}
        value={operation}
        data={groups}
        onChange={({ currentTarget }) => onChange(currentTarget.value as GenerationId, mode)}
      />
      <div>
        <SegmentedControl
          aria-label={texts.mode}
          value={mode}
          onChange={(chosen) => onChange(operation, chosen)}
          data={tokenModes.toReversed().map((value) => ({ value, label: texts.modes[value] }))}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {texts.modeHints[mode]}
        </Text>
      </div>
    </div>
  );
}

/** Opens the purse of test mode when it is first needed. */
function TestPurse() {
  const { isMissing, filling } = useTestPurse(true);
  const { mutate, isIdle } = filling;
  useEffect(() => {
    if (isMissing && isIdle) mutate({});
  }, [isMissing, isIdle, mutate]);
  return filling.error ? <Failure error={filling.error} onRetry={() => mutate({})} /> : null;
}

function Workbench({ operation, mode }: Pick<ChoiceProps, 'operation' | 'mode'>) {
  const { body, example } = generateContracts[operation];
  const fields = useMemo(() => fieldsOf(body), [body]);
  const [values, setValues] = useState<Values>(() => exampleOf(fields, example.body));
  const [ending, setEnding] = useState<Ending>();
  const [taskId, setTaskId] = useState<string>();
  const request = requestOf(operation, mode, values, ending);
  const sending = useSending(request, setTaskId);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <RequestForm request={request} fields={fields} sending={sending} onValues={setValues} onEnding={setEnding} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack gap="lg" className="beside">
          <Outcome taskId={taskId} mode={mode} />
          <History
            request={request}
            onShow={setTaskId}
            onAgain={(body) => {
              const earlier = earlierRequest(body);
              setEnding(earlier.ending);
              setValues(earlier.values);
            }}
          />
        </Stack>
      </Grid.Col>
      <Grid.Col span={12}>
        <Code request={request} />
      </Grid.Col>
    </Grid>
  );
}

export function Playground() {
  const texts = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const operation = operations.find((id) => id === search.operation) ?? 'generateVoice';
  const mode = tokenModes.find((one) => one === search.mode) ?? 'test';
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Choice
        operation={operation}
        mode={mode}
        onChange={(chosen, chosenMode) =>
          void navigate({ search: { operation: chosen, mode: chosenMode }, replace: true })
        }
      />
      {mode === 'test' && <TestPurse />}
      <Workbench key={`${operation} ${mode}`} operation={operation} mode={mode} />
    </Page>
  );
}
