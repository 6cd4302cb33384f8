/** A confirmation dialog for actions that cannot be undone. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useLanguage } from '../language/language.tsx';
import { failureText } from './failure-text.ts';

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  /** The label of the button that cancels. */
  readonly keep?: string;
  readonly pending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => Promise<unknown>;
  readonly button: (open: () => void) => ReactNode;
}

export function Confirm({ title, text, action, keep, pending, error, onConfirm, button }: ConfirmProps) {
  const language = useLanguage();
  const [opened, { open, close }] = useDisclosure(false);
  // The dialog stays open after a failure and shows the error.
  const confirm = () => void onConfirm().then(close, () => undefined);
  return (
    <>
      {button(open)}
      <Modal
        opened={opened}
        onClose={close}
        title={title}
        centered
        closeButtonProps={{ 'aria-label': language.text.common.close }}
      >
        <Stack>
          <Text size="sm">{text}</Text>
          {error !== null && error !== undefined && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {failureText(error, language.text)}
            </Text>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {keep ?? language.text.common.cancel}
            </Button>
            <Button color="red.8" loading={pending} onClick={confirm}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
