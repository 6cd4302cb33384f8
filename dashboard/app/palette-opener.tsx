/** Opens the search for pages, tasks and actions with a button or Ctrl+K (⌘K); its code is loaded when it is first opened. */
import { Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { useLanguage } from '../language/language.tsx';
import { Icon } from '../parts/icon.tsx';

const Palette = lazy(() => import('./palette.tsx').then(({ Palette: component }) => ({ default: component })));

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function PaletteOpener() {
  const { text } = useLanguage();
  // Undefined until it is opened for the first time.
  const [isOpen, setOpen] = useState<boolean>();
  // An empty list: the keys also work while a field has the focus.
  useHotkeys([['mod+K', () => setOpen((wasOpen) => !wasOpen)]], []);
  return (
    <>
      <button
        type="button"
        className="palette-opener"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" size={16} />
        <span>{text.palette.open}</span>
        <Kbd size="xs" aria-hidden="true">
          {isMac ? '⌘K' : 'Ctrl K'}
        </Kbd>
      </button>
      {isOpen !== undefined && (
        <Suspense fallback={null}>
          <Palette isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
