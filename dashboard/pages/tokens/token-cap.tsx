/** The dialog that sets, changes or removes the monthly cap of a token. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import type { Data } from '../../api/call.ts';
import { useCall } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { CapField, capOf } from './cap-field.tsx';

type Token = Data<typeof dashboardContracts.listTokens>['tokens'][number];

export function TokenCap({ token }: { readonly token: Token }) {
  const { text } = useLanguage();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure(false);
  const [entered, setEntered] = useState(String(token.monthlyCreditCap ?? ''));
  const save = useCall(dashboardContracts.setTokenCap, {
    onSuccess: () => {
      close();
      void queries.invalidateQueries({ queryKey: [dashboardContracts.listTokens.operationId] });
    },
  });
  const cap = capOf(entered);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (cap !== 'invalid') save.mutate({ params: { tokenId: token.tokenId }, body: { monthlyCreditCap: cap ?? null } });
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={open} aria-label={`${text.tokens.cap}: ${token.name}`}>
        {text.tokens.cap}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={token.name}
        centered
        closeButtonProps={{ 'aria-label': text.common.close }}
      >
        <form onSubmit={submit} noValidate>
          <Stack>
            <CapField value={entered} onChange={setEntered} />
            {save.error && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {failureText(save.error, text)}
              </Text>
            )}
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close}>
                {text.common.cancel}
              </Button>
              <Button type="submit" loading={save.isPending}>
                {text.tokens.saveCap}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
