/** A button that opens the form of an act, for operators who may perform it. */
import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { OfferedAct } from '../../../shared/contracts/act-groups.ts';
import { operateActContracts } from '../../../shared/contracts/operate-acts.ts';
import { operateSessionContracts } from '../../../shared/contracts/operate-session.ts';
import { hasRole } from '../../../shared/contracts/operator-roles.ts';
import { useApi } from '../../api/use-api.ts';
import { ActDialog, type ActDialogProps } from './act-dialog.tsx';

interface ActButtonProps extends Pick<ActDialogProps, 'initial' | 'schema'> {
  readonly act: OfferedAct;
  readonly label: string;
  readonly given?: ActDialogProps['given'];
}

const formsKept = { staleTime: Number.POSITIVE_INFINITY };

export function ActButton({ act, given = {}, label, ...rest }: ActButtonProps) {
  const client = useQueryClient();
  const [isOpen, { close, open }] = useDisclosure(false, { onClose: () => void client.invalidateQueries() });
  const session = useApi(operateSessionContracts.getOperator, {}, { staleTime: 60_000 });
  const forms = useApi(operateActContracts.listActForms, {}, formsKept);
  const form = forms.data?.forms.find((one) => one.act === act);
  if (!form || !session.data || !hasRole(session.data.role, form.role)) return null;
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={open}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={label}
        size="lg"
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <ActDialog {...rest} form={form} given={given} onClose={close} />
      </Modal>
    </>
  );
}
