/** The account's pages on social networks: connected ones, and networks to connect. */
import { Alert, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { connectionsAnchor } from '../../../shared/contracts/connecting.ts';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { ConnectionOutcome } from './connection-outcome.tsx';
import { ConnectionRow } from './connection-row.tsx';

export type Connections = Data<typeof dashboardContracts.listConnections>;

/** Polls often while the owner is waiting for something. */
function pollMs(list: Connections | undefined): number | false {
  const pages = list?.channels.flatMap(({ page }) => (page ? [page] : [])) ?? [];
  if (pages.some(({ state, syncedAt }) => state === 'connected' && syncedAt === null)) return 2000;
  return pages.some(({ state }) => state === 'erasing') ? 10_000 : false;
}

function NotInPlan() {
  const { text } = useLanguage();
  return (
    <Alert title={text.inbox.notInPlan}>
      <Text size="sm">{text.inbox.notInPlanHint}</Text>
      <TextLink to="/billing" size="sm" fw={500}>
        {text.inbox.seePlans}
      </TextLink>
    </Alert>
  );
}

export function Connections() {
  const { text } = useLanguage();
  const query = useApi(dashboardContracts.listConnections, {}, { refetchInterval: ({ state }) => pollMs(state.data) });
  const section = useRef<HTMLDivElement>(null);
  const isLoaded = query.data !== undefined;
  // Scrolls to this section, because redirects from social networks and links from the inbox lead to it.
  useEffect(() => {
    if (isLoaded && location.hash === `#${connectionsAnchor}`) section.current?.scrollIntoView({ block: 'start' });
  }, [isLoaded]);
  return (
    <div ref={section} id={connectionsAnchor}>
      <Section title={text.connections.title} hint={text.connections.hint}>
        <Loaded query={query}>
          {(list) => (
            <>
              <ConnectionOutcome list={list} />
              {!list.isInPlan && <NotInPlan />}
              <ul className="rows">
                {list.channels.map((one) => (
                  <ConnectionRow key={one.channel} entry={one} isInPlan={list.isInPlan} />
                ))}
              </ul>
            </>
          )}
        </Loaded>
      </Section>
    </div>
  );
}
