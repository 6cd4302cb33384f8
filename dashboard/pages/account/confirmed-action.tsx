/** A button that opens a dialog in which the owner confirms who they are before something is done. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import type { Data } from '../../api/call.ts';
import { useCall } from '../../api/use-api.ts';
import { useSession } from '../../app/session.tsx';
import { useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { ConfirmIdentity } from '../tokens/confirm-identity.tsx';
import { missingConfirmation, needsLogin, rejectedConfirmation } from '../tokens/confirmation.ts';

type Confirmed = typeof dashboardContracts.requestExport | typeof dashboardContracts.openExport;

interface ConfirmedActionProps<Contract extends Confirmed> {
  readonly contract: Contract;
  readonly button: string;
  readonly isPrimary: boolean;
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly onDone: (data: Data<Contract>) => void;
}

/** Remembers that the dialog was open during a visit to a provider. */
const visitKey = ({ operationId }: Confirmed): string => `confirming-${operationId}`;

interface FormProps<Contract extends Confirmed> extends ConfirmedActionProps<Contract> {
  readonly onClose: () => void;
}

/** The form's state, which ends with the dialog, so that a password is never kept. */
function useConfirmedAction<Contract extends Confirmed>({ contract, onClose, onDone }: FormProps<Contract>) {
  const { text } = useLanguage();
  const session = useSession();
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<string>();
  const act = useCall<Confirmed>(contract, {
    onError: () => queries.invalidateQueries({ queryKey: [dashboardContracts.getSession.operationId] }),
    onSuccess: (data) => {
      onClose();
      onDone(data as Data<Contract>);
      void queries.invalidateQueries({ queryKey: [dashboardContracts.getExport.operationId] });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const lacking = missingConfirmation(session, password, text);
    setMissing(lacking);
    if (lacking === undefined) act.mutate({ body: password === '' ? {} : { password } });
  };
  return { session, password, setPassword, missing, act, submit };
}

function ConfirmedForm<Contract extends Confirmed>(props: FormProps<Contract>) {
  const { text } = useLanguage();
  const { session, password, setPassword, missing, act, submit } = useConfirmedAction(props);
  const rejected = rejectedConfirmation(act.error, text);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">{props.text}</Text>
        <ConfirmIdentity
          session={session}
          password={password}
          error={missing ?? rejected}
          needsLogin={needsLogin(act.error)}
          returnTo="account"
          onPassword={setPassword}
          onLeave={() => sessionStorage.setItem(visitKey(props.contract), 'open')}
        />
        {act.error && rejected === undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {failureText(act.error, text)}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={props.onClose}>
            {text.common.cancel}
          </Button>
          <Button type="submit" loading={act.isPending}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function ConfirmedAction<Contract extends Confirmed>(props: ConfirmedActionProps<Contract>) {
  const { text } = useLanguage();
  const key = visitKey(props.contract);
  const [opened, { open, close }] = useDisclosure(sessionStorage.getItem(key) !== null);
  const closeAndForget = () => {
    sessionStorage.removeItem(key);
    close();
  };
  return (
    <>
      <Button {...(!props.isPrimary && { variant: 'default' })} onClick={open}>
        {props.button}
      </Button>
      <Modal
        opened={opened}
        onClose={closeAndForget}
        title={props.title}
        centered
        closeButtonProps={{ 'aria-label': text.common.close }}
      >
        <ConfirmedForm {...props} onClose={closeAndForget} />
      </Modal>
    </>
  );
}
