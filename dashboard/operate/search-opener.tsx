/** Opens the search for anything with a button or Ctrl+K (⌘K). */
import { Kbd, Modal } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { Search } from './search.tsx';

interface SearchOpenerProps {
  /** Whether the keys open this search: there may be two on a page. */
  readonly hasKeys?: boolean;
}

export function SearchOpener({ hasKeys = true }: SearchOpenerProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  // An empty list: the keys also work while a field has the focus.
  useHotkeys(hasKeys ? [['mod+K', () => setOpen((wasOpen) => !wasOpen)]] : [], []);
  return (
    <>
      <button
        type="button"
        className="palette-opener"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" size={16} />
        <span>Find anything</span>
        <Kbd size="xs" aria-hidden="true">
          Ctrl K
        </Kbd>
      </button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Find anything"
        size="lg"
        yOffset="10vh"
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Search onChosen={close} />
      </Modal>
    </>
  );
}
