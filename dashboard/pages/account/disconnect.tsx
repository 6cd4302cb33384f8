/** Disconnects a page, after a dialog that explains what is erased. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Channel } from '../../../shared/contracts/channels.ts';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { useCall } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';

const route = getRouteApi('/account');

export function Disconnect({ channel, name }: { readonly channel: Channel; readonly name: string }) {
  const { text } = useLanguage();
  const page = `“${name}” (${text.inbox.channels[channel]})`;
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  const disconnect = useCall(dashboardContracts.removeConnection, {
    onSuccess: async () => {
      // Removes the outcome of an earlier connection from the URL, because it no longer applies.
      await navigate({ search: {}, replace: true });
      await queries.invalidateQueries();
    },
  });
  return (
    <Confirm
      title={text.connections.disconnectTitle(page)}
      text={text.connections.disconnectText}
      action={text.connections.disconnect}
      pending={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => disconnect.mutateAsync({ params: { channel } })}
      button={(open) => (
        <Button
          size="xs"
          variant="default"
          onClick={open}
          aria-label={text.connections.of(text.connections.disconnect, page)}
        >
          {text.connections.disconnect}
        </Button>
      )}
    />
  );
}
