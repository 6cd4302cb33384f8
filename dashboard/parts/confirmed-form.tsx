/** A form that is sent with a confirmation that the user is the account's owner. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { dashboardContracts } from '../../shared/contracts/dashboard.ts';
import type { Data, Request } from '../api/call.ts';
import { useCall } from '../api/use-api.ts';
import { useSession } from '../app/session.tsx';
import { useLanguage } from '../language/language.tsx';
import { ConfirmIdentity } from './confirm-identity.tsx';
import { missingConfirmation, needsLogin, rejectedConfirmation } from './confirmation.ts';
import { failureText } from './failure-text.ts';

type Confirmed = (typeof dashboardContracts)['closeAccount' | 'openExport' | 'requestExport' | 'setTokenCap'];

interface ConfirmedFormProps<Contract extends Confirmed> {
  readonly contract: Contract;
  /** The request without the password; undefined while the form is invalid. */
  readonly request: Request<Contract> | undefined;
  /** The label of the button that sends the form. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly returnTo: 'account' | 'tokens';
  /** Called before the browser leaves for the provider. */
  readonly onLeave: () => void;
  readonly onCancel: () => void;
  readonly onDone: (data: Data<Contract>) => unknown;
  /** What is shown above the confirmation. */
  readonly children: ReactNode;
}

/** The form's state, which ends with the form, so that a password is never kept. */
function useConfirmation<Contract extends Confirmed>({ contract, onDone, request }: ConfirmedFormProps<Contract>) {
  const { text } = useLanguage();
  const session = useSession();
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<string>();
  const sending = useCall<Confirmed>(contract, {
    onError: () => queries.invalidateQueries({ queryKey: [dashboardContracts.getSession.operationId] }),
    onSuccess: (data) => onDone(data as Data<Contract>),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const lacking = missingConfirmation(session, password, text);
    setMissing(lacking);
    if (lacking !== undefined || request === undefined) return;
    const body = { ...request.body, ...(password !== '' && { password }) };
    sending.mutate({ ...request, body });
  };
  return { session, password, setPassword, missing, sending, submit };
}

export function ConfirmedForm<Contract extends Confirmed>(props: ConfirmedFormProps<Contract>) {
  const { text } = useLanguage();
  const { session, password, setPassword, missing, sending, submit } = useConfirmation(props);
  const rejected = rejectedConfirmation(sending.error, text);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {props.children}
        <ConfirmIdentity
          session={session}
          password={password}
          error={missing ?? rejected}
          needsLogin={needsLogin(sending.error)}
          returnTo={props.returnTo}
          onPassword={setPassword}
          onLeave={props.onLeave}
        />
        {sending.error && rejected === undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {failureText(sending.error, text)}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={props.onCancel}>
            {text.common.cancel}
          </Button>
          <Button type="submit" loading={sending.isPending} {...(props.isDangerous && { color: 'red.8' })}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
