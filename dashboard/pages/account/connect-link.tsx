/** A link to a social network's consent dialog, which redirects back to the dashboard. */
import { Button } from '@mantine/core';
import type { Channel } from '../../../shared/contracts/channels.ts';
import { connectionRoutes } from '../../../shared/contracts/connecting.ts';
import { useSession } from '../../app/session.tsx';
import { useLanguage } from '../../language/language.tsx';

interface ConnectLinkProps {
  readonly channel: Channel;
  readonly label: string;
  readonly variant?: 'filled' | 'default';
}

export function ConnectLink({ channel, label, variant = 'filled' }: ConnectLinkProps) {
  const { text } = useLanguage();
  // The link would connect a page for whoever is logged in to the dashboard.
  if (useSession().isView) return null;
  return (
    <Button
      component="a"
      size="xs"
      variant={variant}
      href={connectionRoutes.startConnection.path.replace('{channel}', channel)}
      aria-label={text.connections.of(label, text.inbox.channels[channel])}
    >
      {label}
    </Button>
  );
}
