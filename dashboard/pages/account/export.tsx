/** The export of the account: its request, its progress, and its download while it is available. */
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { exportHours } from '../../../shared/contracts/limits.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { ConfirmedForm } from '../../parts/confirmed-form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ReturningDialog } from '../../parts/returning-dialog.tsx';
import { Section } from '../../parts/section.tsx';

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

type ExportContract = (typeof dashboardContracts)['openExport' | 'requestExport'];

interface ExportDialogProps<Contract extends ExportContract> {
  readonly contract: Contract;
  readonly button: string;
  readonly isPrimary?: boolean;
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly onDone?: (data: Data<Contract>) => void;
}

/** A button, and the dialog in which the owner confirms who they are. */
function ExportDialog<Contract extends ExportContract>({
  action,
  button,
  contract,
  isPrimary = false,
  onDone,
  text,
  title,
}: ExportDialogProps<Contract>) {
  const queries = useQueryClient();
  return (
    <ReturningDialog
      storageKey={`confirming-${contract.operationId}`}
      title={title}
      button={(open) => (
        <Button {...(!isPrimary && { variant: 'default' })} onClick={open}>
          {button}
        </Button>
      )}
    >
      {({ close, keep }) => (
        <ConfirmedForm
          contract={contract}
          request={{}}
          action={action}
          returnTo="account"
          onLeave={() => keep('open')}
          onCancel={close}
          onDone={(data) => {
            close();
            onDone?.(data);
            void queries.invalidateQueries({ queryKey: [dashboardContracts.getExport.operationId] });
          }}
        >
          <Text size="sm">{text}</Text>
        </ConfirmedForm>
      )}
    </ReturningDialog>
  );
}

function Actions({ state }: Pick<AccountExport, 'state'>) {
  const { text, format } = useLanguage();
  if (state === 'making') return null;
  const isReady = state === 'ready';
  return (
    <Group gap="sm">
      {isReady && (
        <ExportDialog
          contract={dashboardContracts.openExport}
          button={text.export.download}
          isPrimary
          title={text.export.downloadTitle}
          text={text.export.downloadText}
          action={text.export.download}
          onDone={({ url }) => location.assign(url)}
        />
      )}
      <ExportDialog
        contract={dashboardContracts.requestExport}
        button={isReady ? text.export.requestAgain : text.export.request}
        title={text.export.requestTitle}
        text={text.export.requestText(format.number(exportHours))}
        action={text.export.request}
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
