/** Closes the account, after a dialog that says what happens and asks who the user is. */
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { closedAccountDays } from '../../../shared/contracts/limits.ts';
import { useCall } from '../../api/use-api.ts';
import { useSession } from '../../app/session.tsx';
import { useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { Section } from '../../parts/section.tsx';
import { ConfirmIdentity } from '../tokens/confirm-identity.tsx';
import { missingConfirmation, needsLogin, rejectedConfirmation } from '../tokens/confirmation.ts';

/** Remembers that the dialog was open during a visit to a provider. */
const visitKey = 'closing-account';

function Consequences() {
  const { text, format } = useLanguage();
  const later = text.closure.later(format.number(closedAccountDays));
  return (
    <List size="sm" spacing="xs">
      {[text.closure.atOnce, text.closure.soon, later, text.closure.kept].map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
    </List>
  );
}

/** The form's state, which ends with the dialog, so that a password is never kept. */
function useClosing() {
  const { text } = useLanguage();
  const session = useSession();
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<string>();
  const close = useCall(dashboardContracts.closeAccount, {
    onError: () => queries.invalidateQueries({ queryKey: [dashboardContracts.getSession.operationId] }),
    onSuccess: () => {
      sessionStorage.removeItem(visitKey);
      // Nothing of the account but the session may be read from now on.
      queries.removeQueries({
        predicate: ({ queryKey: [name] }) => name !== dashboardContracts.getSession.operationId,
      });
      return queries.invalidateQueries({ queryKey: [dashboardContracts.getSession.operationId] });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const lacking = missingConfirmation(session, password, text);
    setMissing(lacking);
    if (lacking === undefined) close.mutate({ body: password === '' ? {} : { password } });
  };
  return { session, password, setPassword, missing, close, submit };
}

function ClosingForm({ onCancel }: { readonly onCancel: () => void }) {
  const { text } = useLanguage();
  const { session, password, setPassword, missing, close, submit } = useClosing();
  const rejected = rejectedConfirmation(close.error, text);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Consequences />
        <ConfirmIdentity
          session={session}
          password={password}
          error={missing ?? rejected}
          needsLogin={needsLogin(close.error)}
          returnTo="account"
          onPassword={setPassword}
          onLeave={() => sessionStorage.setItem(visitKey, 'open')}
        />
        {close.error && rejected === undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {failureText(close.error, text)}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            {text.common.cancel}
          </Button>
          <Button type="submit" color="red.8" loading={close.isPending}>
            {text.closure.close}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function CloseAccount() {
  const { text, format } = useLanguage();
  const [opened, { open, close }] = useDisclosure(sessionStorage.getItem(visitKey) !== null);
  const closeAndForget = () => {
    sessionStorage.removeItem(visitKey);
    close();
  };
  return (
    <Section title={text.closure.title} hint={text.closure.hint(format.number(closedAccountDays))}>
      <Group>
        <Button variant="default" onClick={open}>
          {text.closure.start}
        </Button>
      </Group>
      <Modal
        opened={opened}
        onClose={closeAndForget}
        title={text.closure.dialogTitle}
        centered
        closeButtonProps={{ 'aria-label': text.common.close }}
      >
        <ClosingForm onCancel={closeAndForget} />
      </Modal>
    </Section>
  );
}
