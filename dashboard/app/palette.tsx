/** The search for pages, tasks and actions, used with the keyboard alone: arrows choose, Enter opens, Escape closes. */
import { Modal, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useLanguage } from '../language/language.tsx';
import { Icon } from '../parts/icon.tsx';
import './palette.css';
import { type Entry, type Group, useGroups } from './palette-entries.ts';

const listId = 'palette-list';

interface ListProps {
  readonly groups: readonly Group[];
  readonly active: Entry | undefined;
  readonly onChoose: (entry: Entry) => void;
}

/** The options never have the focus: the field does, and names the active one. */
const List = ({ groups, active, onChoose }: ListProps) => (
  <div id={listId} role="listbox" aria-label={useLanguage().text.palette.open} className="palette-list" tabIndex={-1}>
    {groups.map(({ entries, label }) => (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a list of options
      <div key={label} role="group" aria-label={label}>
        <Text size="xs" c="dimmed" fw={600} px="sm" py={6} aria-hidden="true">
          {label}
        </Text>
        {entries.map((entry) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={entry.id}
            id={entry.id}
            role="option"
            aria-selected={entry === active}
            tabIndex={-1}
            onClick={() => onChoose(entry)}
          >
            <Icon name={entry.icon} />
            <span>{entry.label}</span>
            {entry.detail !== undefined && <small>{entry.detail}</small>}
          </div>
        ))}
      </div>
    ))}
  </div>
);

interface FieldProps {
  readonly activeId: string | undefined;
  readonly typed: string;
  readonly onTyped: (value: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function Field({ activeId, typed, onTyped, onKeyDown }: FieldProps) {
  const { text } = useLanguage();
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  return (
    <TextInput
      data-autofocus
      size="md"
      leftSection={<Icon name="search" />}
      placeholder={text.palette.hint}
      aria-label={text.palette.hint}
      role="combobox"
      aria-expanded="true"
      aria-controls={listId}
      aria-autocomplete="list"
      {...(activeId !== undefined && { 'aria-activedescendant': activeId })}
      value={typed}
      onChange={({ currentTarget }) => onTyped(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

/** The dialog is already open when its code has been loaded, so it does not know where the focus was. */
const useReturnedFocus = () =>
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

function Search({ onClose }: { readonly onClose: () => void }) {
  const { text } = useLanguage();
  const [typed, setTyped] = useState('');
  const [position, setPosition] = useState(0);
  const groups = useGroups(typed);
  const entries = groups.flatMap((group) => group.entries);
  const active = entries[Math.min(position, entries.length - 1)];
  useReturnedFocus();
  const choose = (entry: Entry) => {
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined)
      setPosition((Math.min(position, entries.length - 1) + step + entries.length) % entries.length);
    else if (event.key === 'Enter' && active) choose(active);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <Field
        activeId={active?.id}
        typed={typed}
        onTyped={(value) => {
          setTyped(value);
          setPosition(0);
        }}
        onKeyDown={onKeyDown}
      />
      {entries.length > 0 ? (
        <List groups={groups} active={active} onChoose={choose} />
      ) : (
        <Text id={listId} size="sm" c="dimmed" p="md" role="status">
          {text.palette.nothing}
        </Text>
      )}
    </>
  );
}

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export const Palette = ({ isOpen, onClose }: PaletteProps) => (
  <Modal.Root
    opened={isOpen}
    onClose={onClose}
    size="lg"
    yOffset="10vh"
    transitionProps={{ duration: 0 }}
    returnFocus={false}
  >
    <Modal.Overlay />
    <Modal.Content aria-label={useLanguage().text.palette.open}>
      <Modal.Body p="sm">
        <Search onClose={onClose} />
      </Modal.Body>
    </Modal.Content>
  </Modal.Root>
);
