/** The values of an operation's form: earlier entries, or the values with which an earlier task was created. */
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
  /** The values entered in all forms since the page was opened. */
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
    // Texts to be spoken have the language of the page by default.
    const spoken = operation === 'generateVoice' ? { text: text.first.text } : {};
    return valuesToBeginWith(contract, fields, { ...spoken, ...entered });
  });
  const [ending, setEnding] = useState<Ending>();
  // Removes files of the other mode; their fields upload them again for this one.
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
