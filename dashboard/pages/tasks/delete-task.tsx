/** Deletes a task, after a dialog that explains what is erased. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import { useCall } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { modeSearch, useTaskMode } from './task-mode.ts';

export function DeleteTask({ taskId }: { readonly taskId: string }) {
  const { text } = useLanguage();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mode = useTaskMode();
  const deletion = useCall(tasksContracts.deleteTask, {
    onSuccess: async () => {
      // The page of the task is left first, because it would read the deleted task again.
      await navigate({ to: '/tasks', search: modeSearch(mode) });
      await queries.invalidateQueries();
    },
  });
  return (
    <Confirm
      title={text.tasks.deleteTitle}
      text={text.tasks.deleteText}
      action={text.tasks.deleteTask}
      pending={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutateAsync({ params: { taskId }, mode })}
      button={(open) => (
        <Button variant="default" onClick={open}>
          {text.tasks.deleteTask}
        </Button>
      )}
    />
  );
}
