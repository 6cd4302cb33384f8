/** The row of a social network: its connected page with the available actions, or a link to connect one. */
import { Group, Progress, Stack, Text } from '@mantine/core';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Status } from '../../parts/status.tsx';
import { ConnectLink } from './connect-link.tsx';
import type { Connections } from './connections.tsx';
import { Disconnect } from './disconnect.tsx';
import { PageChoice } from './page-choice.tsx';

export type Entry = Connections['channels'][number];
type ConnectedPage = NonNullable<Entry['page']>;

/** The progress of the first copy of an inbox, which can take minutes; the progress of later copies is not shown. */
function FirstCopy({ page: { name, progress } }: { readonly page: ConnectedPage }) {
  const { text, format } = useLanguage();
  if (!progress || progress.found === 0) {
    return (
      <Text size="sm" c="dimmed">
        {text.connections.waiting}
      </Text>
    );
  }
  const { found, synchronized } = progress;
  return (
    <div>
      <Text size="sm" c="dimmed" mb={6}>
        {text.connections.copying(format.number(synchronized), format.number(found))}
      </Text>
      <Progress value={(synchronized / found) * 100} size="sm" animated aria-label={name} />
    </div>
  );
}

function PageFacts({ page }: { readonly page: ConnectedPage }) {
  const { text, format } = useLanguage();
  const { connectedAt, fault, state, syncedAt } = page;
  const facts = [
    text.connections.since(format.day(connectedAt)),
    ...(syncedAt === null ? [] : [text.connections.synced(format.ago(syncedAt))]),
  ];
  if (state !== 'connected') return <Text size="sm">{text.connections.notes[state]}</Text>;
  return (
    <>
      <Text size="sm" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {fault && <Text size="sm">{text.connections.faults[fault]}</Text>}
      {!fault && syncedAt === null && <FirstCopy page={page} />}
    </>
  );
}

function Page({ page }: { readonly page: ConnectedPage }) {
  const { name, username } = page;
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}
        {username !== null && username !== name && ` · @${username}`}
      </Text>
      <PageFacts page={page} />
    </>
  );
}

function NoPage({ isOffered }: Pick<Entry, 'isOffered'>) {
  const { text } = useLanguage();
  return (
    <Text size="sm" c="dimmed">
      {isOffered ? text.connections.none : text.connections.notOffered}
    </Text>
  );
}

function Actions({
  entry: { channel, isOffered, page },
  isInPlan,
}: {
  readonly entry: Entry;
  readonly isInPlan: boolean;
}) {
  const { text } = useLanguage();
  const canConnect = isInPlan && isOffered;
  if (page?.state === 'erasing') return null;
  return (
    <Group gap="xs">
      {canConnect && !page && <ConnectLink channel={channel} label={text.connections.connect} />}
      {canConnect && page?.state === 'revoked' && <ConnectLink channel={channel} label={text.connections.reconnect} />}
      {page && <Disconnect channel={channel} name={page.name} />}
    </Group>
  );
}

export function ConnectionRow({ entry, isInPlan }: { readonly entry: Entry; readonly isInPlan: boolean }) {
  const { text } = useLanguage();
  const { channel, choice, isOffered, page } = entry;
  return (
    <li aria-label={text.inbox.channels[channel]}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} style={{ flex: '1 1 280px' }}>
          <Group gap="sm">
            <Text fw={600}>{text.inbox.channels[channel]}</Text>
            {page && <Status status={page.state} label={labelOf(text.connections.states, page.state)} />}
          </Group>
          {page ? <Page page={page} /> : !choice && <NoPage isOffered={isOffered} />}
        </Stack>
        {!choice && <Actions entry={entry} isInPlan={isInPlan} />}
      </Group>
      {choice && <PageChoice channel={channel} choice={choice} />}
    </li>
  );
}
