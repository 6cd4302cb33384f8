/** A dialog that opens again when the browser returns from a visit to an identity provider. */
import { Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useLanguage } from '../language/language.tsx';

/** What the content of the dialog is given. */
export interface Returning {
  /** What was kept before the visit. */
  readonly kept: string | null;
  /** Keeps that the dialog is open, with what was entered: never a secret. */
  readonly keep: (entered: string) => void;
  readonly close: () => void;
}

interface ReturningDialogProps {
  /** The key in the session's storage. */
  readonly storageKey: string;
  readonly title: string;
  readonly button: (open: () => void) => ReactNode;
  readonly children: (returning: Returning) => ReactNode;
}

export function ReturningDialog({ button, children, storageKey, title }: ReturningDialogProps) {
  const { text } = useLanguage();
  const kept = sessionStorage.getItem(storageKey);
  const [opened, { open, close }] = useDisclosure(kept !== null);
  const closeAndForget = () => {
    sessionStorage.removeItem(storageKey);
    close();
  };
  const keep = (entered: string) => sessionStorage.setItem(storageKey, entered);
  return (
    <>
      {button(open)}
      <Modal
        opened={opened}
        onClose={closeAndForget}
        title={title}
        centered
        closeButtonProps={{ 'aria-label': text.common.close }}
      >
        {children({ kept, keep, close: closeAndForget })}
      </Modal>
    </>
  );
}
