/** The playground: every generation operation as a form, its price, its result beside it, and the code of the call. */
import './playground.css';
import { NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { generateContracts } from '../../../shared/contracts/generate.ts';
import type { GenerationId } from '../../../shared/contracts/generate-batch.ts';
import { type TokenMode, tokenModes } from '../../../shared/contracts/token-modes.ts';
import { useLanguage } from '../../language/language.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Page } from '../../parts/page.tsx';
import type { Values } from './fields.ts';
import { useTestPurse } from './price.tsx';
import { type UploadedFiles, UploadedFilesContext } from './uploaded-files.ts';
import { useTexts } from './use-texts.ts';
import { Workbench } from './workbench.tsx';

const route = getRouteApi('/playground');

const operations = Object.keys(generateContracts) as GenerationId[];

interface ChoiceProps {
  readonly operation: GenerationId;
  readonly mode: TokenMode;
  readonly onChange: (operation: GenerationId, mode: TokenMode) => void;
}

/** The chosen operation, among those with results of the same medium, and the chosen mode. */
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

/** Creates the test account, with its daily credits, when test mode is first used. */
function TestPurse() {
  const { isMissing, filling } = useTestPurse(true);
  const { mutate, isIdle } = filling;
  useEffect(() => {
    if (isMissing && isIdle) mutate({});
  }, [isMissing, isIdle, mutate]);
  return filling.error ? <Failure error={filling.error} onRetry={() => mutate({})} /> : null;
}

export function Playground() {
  const texts = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [entered, setEntered] = useState<Values>({});
  const [uploaded] = useState<UploadedFiles>(() => new Map());
  const operation = operations.find((id) => id === search.operation) ?? 'generateVoice';
  const mode = tokenModes.find((one) => one === search.mode) ?? 'test';
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Choice
        operation={operation}
        mode={mode}
        onChange={(chosen, chosenMode) =>
          void navigate({
            search: { operation: chosen, mode: chosenMode },
            replace: chosen === operation,
            resetScroll: false,
          })
        }
      />
      {mode === 'test' && <TestPurse />}
      <UploadedFilesContext value={uploaded}>
        <Workbench
          key={operation}
          operation={operation}
          mode={mode}
          entered={entered}
          onEntered={(values) => setEntered((before) => ({ ...before, ...values }))}
        />
      </UploadedFilesContext>
    </Page>
  );
}
