/** An address to type or paste, which becomes a value of its field. */
import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTexts } from './use-texts.ts';

const isSubmitOf = (form: HTMLFormElement | null, target: EventTarget | null): boolean =>
  target instanceof HTMLButtonElement && target.type === 'submit' && target.form === form;

/**
 * An address is added when it is pasted, with Enter, when the field is left, and before its form is sent. On the way to
 * the button that sends the form it is not added when the field is left: the button would move away under the pointer.
 */
export function Address({ label, onAdd }: { readonly label: string; readonly onAdd: (url: string) => void }) {
  const texts = useTexts();
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const add = (url: string) => {
    if (url.trim() !== '') onAdd(url.trim());
    setTyped('');
  };
  const latest = useRef(() => {});
  latest.current = () => add(typed);
  useEffect(() => {
    const form = input.current?.form;
    const addFirst = () => flushSync(() => latest.current());
    form?.addEventListener('submit', addFirst, { capture: true });
    return () => form?.removeEventListener('submit', addFirst, { capture: true });
  }, []);
  return (
    <TextInput
      ref={input}
      size="xs"
      type="url"
      placeholder={texts.address}
      aria-label={`${label}: ${texts.address}`}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text').trim();
        if (typed !== '' || !URL.canParse(pasted)) return;
        event.preventDefault();
        add(pasted);
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!isSubmitOf(currentTarget.form, relatedTarget)) add(typed);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        add(typed);
      }}
    />
  );
}
