/** The field for a monthly cap of credits. */
import { TextInput } from '@mantine/core';
import { monthlyCapLimit } from '../../../shared/contracts/limits.ts';
import { useLanguage } from '../../language/language.tsx';

/** The cap that was entered; undefined if the field is empty. */
export function capOf(entered: string): number | undefined | 'invalid' {
  const digits = entered.trim();
  if (digits === '') return undefined;
  const cap = /^\d+$/.test(digits) ? Number(digits) : 0;
  return cap >= 1 && cap <= monthlyCapLimit ? cap : 'invalid';
}

interface CapFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function CapField({ value, onChange }: CapFieldProps) {
  const { text } = useLanguage();
  return (
    <TextInput
      label={text.tokens.capLabel}
      description={text.tokens.capHint}
      inputMode="numeric"
      maw={420}
      value={value}
      error={capOf(value) === 'invalid' && text.tokens.capInvalid}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
