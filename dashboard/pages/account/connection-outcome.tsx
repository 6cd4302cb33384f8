/** Shows the outcome of connecting a page, after the social network's redirect. */
import { Alert } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useLanguage } from '../../language/language.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { Connections } from './connections.tsx';

const route = getRouteApi('/account');

interface Look {
  readonly color: string;
  readonly icon?: 'check';
  readonly role?: 'status';
}

/** All other outcomes of connecting a page are problems. */
const looks: Readonly<Record<string, Look | undefined>> = {
  connected: { color: 'green', icon: 'check', role: 'status' },
  choose: { color: 'gray', role: 'status' },
  canceled: { color: 'yellow' },
};

/**
 * Whether the outcome matches the list of connections. The URL may be forged, outdated or from another tab, so the list
 * decides.
 */
function standing({ channels }: Connections, channel: string | undefined, outcome: string): string | undefined {
  const entry = channels.find((one) => one.channel === channel);
  const isConnected = entry?.page?.state === 'connected';
  if (outcome === 'connected') return isConnected ? outcome : undefined;
  if (outcome === 'expired') return isConnected || entry?.choice ? undefined : outcome;
  if (outcome === 'choose') return entry?.page || entry?.choice ? undefined : outcome;
  return outcome;
}

export function ConnectionOutcome({ list }: { readonly list: Connections }) {
  const { text } = useLanguage();
  const { channel, outcome } = route.useSearch();
  if (outcome === undefined) return null;
  const { connections } = text;
  const sentences: Readonly<Record<string, string>> = {
    ...connections.problems,
    connected: connections.connected,
    choose: connections.choiceOver,
  };
  const shown = standing(list, channel, outcome);
  if (shown === undefined || !Object.hasOwn(sentences, shown)) return null;
  const { color = 'red', icon = 'alert', role = 'alert' } = looks[shown] ?? {};
  const network = channel === 'instagram' || channel === 'facebook' ? `${text.inbox.channels[channel]}: ` : '';
  return (
    <Alert color={color} icon={<Icon name={icon} />} role={role}>
      {network}
      {sentences[shown]}
    </Alert>
  );
}
