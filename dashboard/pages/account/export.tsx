/** The export of the account: its request, its progress, and its download while it is available. */
import { Group, Text } from '@mantine/core';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { exportHours } from '../../../shared/contracts/limits.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { ConfirmedAction } from './confirmed-action.tsx';

type AccountExport = Data<typeof dashboardContracts.getExport>;

function State({ found }: { readonly found: AccountExport }) {
  const { text, format } = useLanguage();
  const { availableUntil, bytes, files, filesLeftOut, rows, state } = found;
  const size = format.bytes(bytes);
  if (state === 'none') return null;
  if (state === 'failed') return <Text size="sm">{text.export.failed}</Text>;
  if (state === 'expired') return <Text size="sm">{text.export.expired}</Text>;
  if (state === 'making') {
    return (
      <div role="status">
        <Text size="sm" fw={500}>
          {text.export.making}
        </Text>
        <Text size="sm" c="dimmed">
          {text.export.progress(format.number(rows), format.number(files), size)}
        </Text>
      </div>
    );
  }
  return (
    <div role="status">
      <Text size="sm" fw={500}>
        {text.export.ready(size, availableUntil === null ? '' : format.moment(availableUntil))}
      </Text>
      {filesLeftOut > 0 && (
        <Text size="sm" c="dimmed">
          {text.export.leftOut(format.number(filesLeftOut))}
        </Text>
      )}
    </div>
  );
}

function Actions({ state }: Pick<AccountExport, 'state'>) {
  const { text, format } = useLanguage();
  if (state === 'making') return null;
  const isReady = state === 'ready';
  return (
    <Group gap="sm">
      {isReady && (
        <ConfirmedAction
          contract={dashboardContracts.openExport}
          button={text.export.download}
          isPrimary
          title={text.export.downloadTitle}
          text={text.export.downloadText}
          action={text.export.download}
          onDone={({ url }) => location.assign(url)}
        />
      )}
      <ConfirmedAction
        contract={dashboardContracts.requestExport}
        button={isReady ? text.export.requestAgain : text.export.request}
        isPrimary={false}
        title={text.export.requestTitle}
        text={text.export.requestText(format.number(exportHours))}
        action={text.export.request}
        onDone={() => undefined}
      />
    </Group>
  );
}

export function Export() {
  const { text } = useLanguage();
  const query = useApi(
    dashboardContracts.getExport,
    {},
    { refetchInterval: ({ state }) => (state.data?.state === 'making' ? 5000 : false) },
  );
  return (
    <Section title={text.export.title} hint={text.export.hint}>
      <Loaded query={query}>
        {(found) => (
          <>
            <State found={found} />
            <Actions state={found.state} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
