/** The dialog that sets, changes or removes the monthly cap of a token, which the account's owner must confirm. */
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
import { CapField, capOf } from './cap-field.tsx';
import { ConfirmIdentity } from './confirm-identity.tsx';
import { missingConfirmation, needsLogin, rejectedConfirmation } from './confirmation.ts';

type Token = Data<typeof dashboardContracts.listTokens>['tokens'][number];

/** Where the entered cap is kept during a visit to a provider, after which the dialog opens again. */
const draftKey = ({ tokenId }: Token): string => `cap-draft-${tokenId}`;

const savedCap = (token: Token): string | null => sessionStorage.getItem(draftKey(token));

/** The form's state, which ends with the dialog, so that a password is never kept. */
function useCapForm(token: Token, onClose: () => void) {
  const { text } = useLanguage();
  const session = useSession();
  const queries = useQueryClient();
  const [entered, setEntered] = useState(() => savedCap(token) ?? String(token.monthlyCreditCap ?? ''));
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<string>();
  const save = useCall(dashboardContracts.setTokenCap, {
    onError: () => queries.invalidateQueries({ queryKey: [dashboardContracts.getSession.operationId] }),
    onSuccess: () => {
      onClose();
      void queries.invalidateQueries({ queryKey: [dashboardContracts.listTokens.operationId] });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const cap = capOf(entered);
    const lacking = missingConfirmation(session, password, text);
    setMissing(lacking);
    if (cap === 'invalid' || lacking !== undefined) return;
    const body = { monthlyCreditCap: cap ?? null, ...(password !== '' && { password }) };
    save.mutate({ params: { tokenId: token.tokenId }, body });
  };
  return { session, entered, setEntered, password, setPassword, missing, save, submit };
}

function CapForm({ token, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const { text } = useLanguage();
  const { session, entered, setEntered, password, setPassword, missing, save, submit } = useCapForm(token, onClose);
  const rejected = rejectedConfirmation(save.error, text);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <CapField value={entered} onChange={setEntered} />
        <ConfirmIdentity
          session={session}
          password={password}
          error={missing ?? rejected}
          needsLogin={needsLogin(save.error)}
          returnTo="tokens"
          onPassword={setPassword}
          onLeave={() => sessionStorage.setItem(draftKey(token), entered)}
        />
        {save.error && rejected === undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {failureText(save.error, text)}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {text.common.cancel}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {text.tokens.saveCap}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function TokenCap({ token }: { readonly token: Token }) {
  const { text } = useLanguage();
  const [opened, { open, close }] = useDisclosure(savedCap(token) !== null);
  const closeAndForget = () => {
    sessionStorage.removeItem(draftKey(token));
    close();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={open} aria-label={`${text.tokens.cap}: ${token.name}`}>
        {text.tokens.cap}
      </Button>
      <Modal
        opened={opened}
        onClose={closeAndForget}
        title={token.name}
        centered
        closeButtonProps={{ 'aria-label': text.common.close }}
      >
        <CapForm token={token} onClose={closeAndForget} />
      </Modal>
    </>
  );
}
