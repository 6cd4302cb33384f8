/** Closes the account, after a dialog that says what happens and asks who the user is. */
import { Button, Group, List } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { closedAccountDays } from '../../../shared/contracts/limits.ts';
import { useLanguage } from '../../language/language.tsx';
import { ConfirmedForm } from '../../parts/confirmed-form.tsx';
import { type Returning, ReturningDialog } from '../../parts/returning-dialog.tsx';
import { Section } from '../../parts/section.tsx';

function Consequences() {
  const { text, format } = useLanguage();
  const later = text.closure.later(format.number(closedAccountDays));
  return (
    <List size="sm" spacing="xs">
      {[text.closure.atOnce, text.closure.soon, later, text.closure.kept].map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
    </List>
  );
}

const session = dashboardContracts.getSession.operationId;

function ClosingForm({ close, keep }: Returning) {
  const { text } = useLanguage();
  const queries = useQueryClient();
  return (
    <ConfirmedForm
      contract={dashboardContracts.closeAccount}
      request={{}}
      action={text.closure.close}
      isDangerous
      returnTo="account"
      onLeave={() => keep('open')}
      onCancel={close}
      onDone={async () => {
        // From now on, the session may read only itself.
        queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== session });
        await queries.invalidateQueries({ queryKey: [session] });
        close();
      }}
    >
      <Consequences />
    </ConfirmedForm>
  );
}

export function CloseAccount() {
  const { text, format } = useLanguage();
  return (
    <Section title={text.closure.title} hint={text.closure.hint(format.number(closedAccountDays))}>
      <Group>
        <ReturningDialog
          storageKey="closing-account"
          title={text.closure.dialogTitle}
          button={(open) => (
            <Button variant="default" onClick={open}>
              {text.closure.start}
            </Button>
          )}
        >
          {(returning) => <ClosingForm {...returning} />}
        </ReturningDialog>
      </Group>
    </Section>
  );
}
