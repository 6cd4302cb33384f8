/** What came of connecting a page, for who comes back from its network. */
import { Alert } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useLanguage } from '../../language/language.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { Connections } from './connections.tsx';

const route = getRouteApi('/account');

/** The address may be made up or old: what counts is what is listed. */
function successOf({ channels }: Connections, channel: string | undefined, outcome: string) {
  const entry = channels.find((one) => one.channel === channel);
  if (outcome === 'connected') return entry?.page?.state === 'connected' ? 'connected' : undefined;
  return entry?.choice || entry?.page ? undefined : 'expired';
}

export function ConnectionOutcome({ list }: { readonly list: Connections }) {
  const { text } = useLanguage();
  const { channel, outcome } = route.useSearch();
  if (outcome === undefined) return null;
  const { problems } = text.connections;
  const isProblem = Object.hasOwn(problems, outcome);
  const shown = isProblem || !['connected', 'choose'].includes(outcome) ? outcome : successOf(list, channel, outcome);
  if (shown === 'connected') {
    return (
      <Alert color="green" icon={<Icon name="check" />} role="status">
        {text.connections.connected}
      </Alert>
    );
  }
  const problem = Object.entries(problems).find(([name]) => name === shown)?.[1];
  if (problem === undefined) return null;
  return (
    <Alert color={outcome === 'canceled' ? 'yellow' : 'red'} icon={<Icon name="alert" />} role="alert">
      {channel === 'instagram' || channel === 'facebook' ? `${text.inbox.channels[channel]}: ${problem}` : problem}
    </Alert>
  );
}
