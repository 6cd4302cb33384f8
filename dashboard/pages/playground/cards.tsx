/** Choices that are shown as cards: voices, products, and entries of the Studio's catalog. */
import { Text } from '@mantine/core';
import { useId } from '@mantine/hooks';
import type { ReactNode } from 'react';

export interface Card {
  readonly value: string;
  readonly title: string;
  readonly text?: string;
  readonly picture?: ReactNode;
  /** A button beside the choice. */
  readonly end?: ReactNode;
}

interface CardsProps {
  readonly label: string;
  readonly isRequired: boolean;
  readonly cards: readonly Card[];
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly children?: ReactNode;
}

function Choice({
  card,
  name,
  isChosen,
  onChoose,
}: {
  card: Card;
  name: string;
  isChosen: boolean;
  onChoose: () => void;
}) {
  return (
    <label className="card">
      <input type="radio" name={name} value={card.value} checked={isChosen} onChange={onChoose} />
      {card.picture}
      <span>
        <Text size="sm" fw={600} component="span">
          {card.title}
        </Text>
        {card.text !== undefined && (
          <Text size="xs" c="dimmed" component="span">
            {card.text}
          </Text>
        )}
      </span>
    </label>
  );
}

/** One of the cards is chosen, with the keyboard as in any group of radio buttons. */
export function Cards({ label, isRequired, cards, value = '', error, onChange, children }: CardsProps) {
  const name = useId();
  return (
    <fieldset className="cards" aria-describedby={`${name}-error`}>
      <legend>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </legend>
      <div className="cards-grid">
        {cards.map((card) => (
          <div key={card.value} className="choice">
            <Choice card={card} name={name} isChosen={card.value === value} onChoose={() => onChange(card.value)} />
            {card.end}
          </div>
        ))}
      </div>
      {children}
      {error !== undefined && (
        <Text id={`${name}-error`} size="xs" c="var(--mantine-color-error)" role="alert" mt={6}>
          {error}
        </Text>
      )}
    </fieldset>
  );
}
