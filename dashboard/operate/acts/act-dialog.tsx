/** The dialog of an act: first its form, with the reason, then a preview of the changes, then the result. */
import { Button, Fieldset, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type operateActContracts, performers, reasonLimits } from '../../../shared/contracts/operate-acts.ts';
import { ApiError } from '../../api/api-error.ts';
import { call, type Data } from '../../api/call.ts';
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts';
import { viewPathOf } from '../../api/view.ts';
import { useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { ActChanges } from './act-changes.tsx';
import type { JsonSchema } from './json-schema.ts';
import { SchemaFields } from './schema-field.tsx';

type Members = Readonly<Record<string, unknown>>;

export interface ActDialogProps {
  readonly form: Data<typeof operateActContracts.listActForms>['forms'][number];
  /** The parts of the input that the page already knows, such as the account. */
  readonly given: Members;
  /** The initial values of the fields. */
  readonly initial?: Members;
  /** The schema of the input, if the page knows a more precise one than the act's own. */
  readonly schema?: JsonSchema;
  readonly onClose: () => void;
}

/**
 * A rejection says what is wrong with the input, so its message is shown; other errors are shown in the same words as
 * on all pages.
 */
function Problem({ error }: { readonly error: unknown }) {
  const { text } = useLanguage();
  const isOwn = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {isOwn ? error.message : failureText(error, text)}
    </Text>
  );
}

type Entry = Data<typeof operateActContracts.getAct>;

/**
 * Describes the outcome that the log has: if an act was sent again, the first request may have failed, or have no
 * recorded end.
 */
const outcomes: Readonly<Record<Entry['state'], (entry: Entry) => string>> = {
  done: ({ actId }) => `Done, as act ${actId} of the log.`,
  failed: ({ actId, code }) => `Failed (${code}), as act ${actId} of the log.`,
  begun: ({ actId }) => `Act ${actId} has begun, and has no end in the log: look at what it changed.`,
};

const Outcome = ({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) => (
  <Stack>
    <Text size="sm" role="status">
      {outcomes[entry.state](entry)}
    </Text>
    <ActChanges before={entry.before} after={entry.after} />
    <Group justify="flex-end">
      {entry.act === 'seeAsCustomer' && entry.state === 'done' && (
        <Button component="a" href={viewPathOf(entry.actId)} target="_blank">
          Open the dashboard
        </Button>
      )}
      <Button variant={entry.act === 'seeAsCustomer' ? 'default' : 'filled'} onClick={onClose}>
        Close
      </Button>
    </Group>
  </Stack>
);

/** The steps of an act: it is performed only with the input that was previewed. */
function useAct({ form, given }: Pick<ActDialogProps, 'form' | 'given'>, input: Members, reason: string) {
  const client = useQueryClient();
  const [key, renewKey] = useIdempotencyKey();
  const [preview, setPreview] = useState<{ readonly before: Members | null; readonly after: Members | null }>();
  const [done, setDone] = useState<Entry>();
  const [problem, setProblem] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const request = {
    params: { act: form.act as never },
    body: { reason, input: { ...input, ...given } },
    idempotencyKey: key,
  };
  const contract = performers[form.group];
  const run = async (step: () => Promise<unknown>) => {
    setPending(true);
    setProblem(undefined);
    await step().catch((error: unknown) => {
      setProblem(error);
      // The same idempotency key is used only to repeat a request whose outcome is unknown. A view begins anew instead:
      // its session is only in the response that was lost.
      const isKnown = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (isKnown || form.act === 'seeAsCustomer') renewKey();
    });
    setPending(false);
  };
  return {
    done,
    isPending,
    preview,
    problem,
    reset() {
      setPreview(undefined);
      setProblem(undefined);
      renewKey();
    },
    look: () => run(async () => setPreview(await call(contract, { ...request, isDryRun: true }))),
    perform: () =>
      run(async () => {
        setDone(await call(contract, request));
        // The page is read again when the dialog is closed: now, the row with its button might disappear.
        await client.invalidateQueries({ refetchType: 'none' });
      }),
  };
}

interface ReasonProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

const Reason = ({ onChange, value }: ReasonProps) => (
  <Textarea
    label="Reason"
    description="For the log of acts: no secrets, and no texts or addresses of customers."
    required
    minLength={reasonLimits.least}
    maxLength={reasonLimits.most}
    autosize
    minRows={2}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

export function ActDialog({ form, given, initial = {}, onClose, schema = form.input }: ActDialogProps) {
  const [input, setInput] = useState(initial);
  const [reason, setReason] = useState('');
  const act = useAct({ form, given }, input, reason);
  const changed = (change: () => void) => {
    change();
    act.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (act.preview ? act.perform() : act.look());
  };
  if (act.done) return <Outcome entry={act.done} onClose={onClose} />;
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{form.summary}</Text>
        {/* The input stays as it is sent: a preview or an outcome is about the shown values. */}
        <Fieldset variant="unstyled" disabled={act.isPending}>
          <Stack>
            <SchemaFields
              schema={schema}
              root={schema}
              given={given}
              value={input}
              onChange={(value) => changed(() => setInput(value))}
            />
            <Reason value={reason} onChange={(value) => changed(() => setReason(value))} />
          </Stack>
        </Fieldset>
        {act.preview && <ActChanges {...act.preview} />}
        {act.problem !== undefined && <Problem error={act.problem} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={act.isPending} {...(act.preview && { color: 'red.8' })}>
            {act.preview ? 'Perform' : 'Preview'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
