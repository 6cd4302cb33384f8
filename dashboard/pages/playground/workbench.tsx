/** The form of an operation, the result beside it, and the code below. */
import { Grid, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Code } from './code.tsx';
import { History } from './history.tsx';
import { Outcome } from './outcome.tsx';
import { RequestForm } from './request-form.tsx';
import { type FormOptions, useForm } from './use-form.ts';
import { useSending } from './use-sending.ts';

const route = getRouteApi('/playground');

/** The task in the address of the page, so that it is found again after a reload. */
function useShownTask() {
  const { task } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (shown: string | undefined) =>
    void navigate({ search: (kept) => ({ ...kept, task: shown }), replace: true, resetScroll: false });
  return [task, show] as const;
}

export function Workbench(options: FormOptions) {
  const { mode } = options;
  const { request, fields, change, setEnding, fillFrom } = useForm(options);
  const [taskId, show] = useShownTask();
  const sending = useSending(request, show);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the task of a reloaded page fills the form
  useEffect(() => {
    if (taskId !== undefined) void fillFrom(taskId);
  }, []);
  const send = () => {
    // The result of an earlier request is hidden, because it does not belong to this one.
    show(undefined);
    sending.send();
  };
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <RequestForm
          request={request}
          fields={fields}
          sending={{ ...sending, send }}
          onValues={change}
          onEnding={setEnding}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack gap="lg" className="beside">
          <Outcome taskId={taskId} mode={mode} />
          <History
            request={request}
            onShow={(shown) => {
              show(shown);
              void fillFrom(shown);
            }}
            onAgain={(earlier) => void fillFrom(earlier)}
          />
        </Stack>
      </Grid.Col>
      <Grid.Col span={12}>
        <Code request={request} />
      </Grid.Col>
    </Grid>
  );
}
