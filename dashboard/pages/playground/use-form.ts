/** What the form of an operation holds: what was entered before, or what an earlier task was created with. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { generateContracts } from '../../../shared/contracts/generate.ts';
import type { GenerationId } from '../../../shared/contracts/generate-batch.ts';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';
import { apiQuery } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { sentRequest } from '../tasks/sent-request.ts';
import { fieldsOf, type Values } from './fields.ts';
import { enteredBy, valuesOfMode, valuesToBeginWith } from './kept-values.ts';
import { type Ending, earlierRequest, requestOf } from './request.ts';
import { useUploadedFiles } from './uploaded-files.ts';

export interface FormOptions {
  readonly operation: GenerationId;
  readonly mode: TokenMode;
  /** What was entered in the forms of this visit. */
  readonly entered: Values;
  readonly onEntered: (values: Values) => void;
}

export function useForm({ operation, mode, entered, onEntered }: FormOptions) {
  const contract = generateContracts[operation];
  const queries = useQueryClient();
  const { text } = useLanguage();
  const uploaded = useUploadedFiles();
  const fields = useMemo(() => fieldsOf(contract.body), [contract]);
  const [values, setValues] = useState<Values>(() => {
    // What is spoken is in the language of the page.
    const spoken = operation === 'generateVoice' ? { text: text.first.text } : {};
    return valuesToBeginWith(contract, fields, { ...spoken, ...entered });
  });
  const [ending, setEnding] = useState<Ending>();
  // The fields upload the files of the other mode again.
  useEffect(() => {
    const isElsewhere = (url: string) => (uploaded.get(url)?.mode ?? mode) !== mode;
    setValues((kept) => valuesOfMode(kept, isElsewhere));
  }, [mode, uploaded]);
  const change = (changed: Values): void => {
    onEntered(enteredBy(values, changed));
    setValues(changed);
  };
  const fillFrom = async (taskId: string): Promise<void> => {
    const query = apiQuery(tasksContracts.getTask, { params: { taskId }, mode });
    const task = await queries.fetchQuery(query).catch(() => undefined);
    if (task?.taskType !== contract.taskType) return;
    const earlier = earlierRequest(sentRequest(contract.body, task.input), task.clientReference);
    setEnding(earlier.ending);
    change(earlier.values);
  };
  return { request: requestOf(operation, mode, values, ending), fields, change, setEnding, fillFrom };
}
