/** The dialog that sets, changes or removes the monthly cap of a token, which the account's owner must confirm. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import type { Data } from '../../api/call.ts';
import { useLanguage } from '../../language/language.tsx';
import { ConfirmedForm } from '../../parts/confirmed-form.tsx';
import { type Returning, ReturningDialog } from '../../parts/returning-dialog.tsx';
import { CapField, capOf } from './cap-field.tsx';

type Token = Data<typeof dashboardContracts.listTokens>['tokens'][number];

function CapForm({ token, kept, keep, close }: Returning & { readonly token: Token }) {
  const { text } = useLanguage();
  const queries = useQueryClient();
  const [entered, setEntered] = useState(kept ?? String(token.monthlyCreditCap ?? ''));
  const cap = capOf(entered);
  return (
    <ConfirmedForm
      contract={dashboardContracts.setTokenCap}
      request={
        cap === 'invalid' ? undefined : { params: { tokenId: token.tokenId }, body: { monthlyCreditCap: cap ?? null } }
      }
      action={text.tokens.saveCap}
      returnTo="tokens"
      onLeave={() => keep(entered)}
      onCancel={close}
      onDone={() => {
        close();
        void queries.invalidateQueries({ queryKey: [dashboardContracts.listTokens.operationId] });
      }}
    >
      <CapField value={entered} onChange={setEntered} />
    </ConfirmedForm>
  );
}

export function TokenCap({ token }: { readonly token: Token }) {
  const { text } = useLanguage();
  return (
    <ReturningDialog
      storageKey={`cap-draft-${token.tokenId}`}
      title={token.name}
      button={(open) => (
        <Button size="xs" variant="default" onClick={open} aria-label={`${text.tokens.cap}: ${token.name}`}>
          {text.tokens.cap}
        </Button>
      )}
    >
      {(returning) => <CapForm {...returning} token={token} />}
    </ReturningDialog>
  );
}
