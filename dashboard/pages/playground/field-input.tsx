/** The input of a field, by its kind. */
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { countCodePoints } from '../../../shared/contracts/code-points.ts';
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';
import { useLanguage } from '../../language/language.tsx';
import type { Field, Values } from './fields.ts';
import { FileField } from './file-field.tsx';
import { useTexts } from './use-texts.ts';

export interface FieldProps<Kind extends Field['kind'] = Field['kind']> {
  readonly field: Extract<Field, { kind: Kind }>;
  readonly label: string;
  readonly mode: TokenMode;
  readonly values: Values;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown, others?: Values) => void;
}

/** Whether a text gets several lines: texts are long unless the contract limits them, ids never are. */
const isLong = ({
  name,
  max = Number.POSITIVE_INFINITY,
}: {
  readonly name: string;
  readonly max?: number | undefined;
}) => max > 120 && !name.endsWith('Id');

function TextField({ field, label, value, error, onChange }: FieldProps<'text'>) {
  const texts = useTexts();
  const { format } = useLanguage();
  const { isRequired, max } = field;
  const shown = typeof value === 'string' ? value : '';
  const used = countCodePoints(shown);
  const isCounted = max !== undefined && max >= 50 && used > max / 2;
  const description = isCounted ? texts.length(format.number(used), format.number(max)) : undefined;
  const common = { label, description, required: isRequired, value: shown, error };
  if (!isLong(field)) return <TextInput {...common} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
  return (
    <Textarea
      {...common}
      autosize
      minRows={2}
      maxRows={8}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function ChoiceField({
  field: { byDefault, isRequired, options },
  label,
  value,
  error,
  onChange,
}: FieldProps<'choice'>) {
  const texts = useTexts();
  const given = value ?? byDefault;
  const chosen = options.find((option) => option === given);
  const names = options.map((option) => ({ value: String(option), label: String(option) }));
  const canBeAbsent = byDefault === undefined;
  return (
    <NativeSelect
      label={label}
      required={isRequired}
      value={chosen === undefined ? '' : String(chosen)}
      error={error}
      data={canBeAbsent ? [{ value: '', label: isRequired ? '' : texts.none }, ...names] : names}
      onChange={({ currentTarget }) => onChange(options.find((option) => String(option) === currentTarget.value))}
    />
  );
}

function NumberField({ field, label, value, error, onChange }: FieldProps<'number'>) {
  const texts = useTexts();
  const { format } = useLanguage();
  const { byDefault, isInteger, isRequired, max, min, name } = field;
  const bounds =
    max === undefined ? texts.from(format.number(min)) : texts.between(format.number(min), format.number(max));
  return (
    <TextInput
      type="number"
      inputMode={isInteger ? 'numeric' : 'decimal'}
      label={label}
      description={name === 'durationSec' && max === undefined ? texts.onlyUnmeasured : bounds}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required={isRequired}
      min={min}
      max={max}
      step={isInteger ? 1 : 0.05}
      placeholder={byDefault === undefined ? '' : texts.byDefault(format.number(Number(byDefault)))}
      value={typeof value === 'number' ? value : ''}
      error={error}
      onChange={({ currentTarget: { value: typed } }) => onChange(typed === '' ? undefined : Number(typed))}
    />
  );
}

const FlagField = ({ field: { byDefault }, label, value, error, onChange }: FieldProps<'flag'>) => (
  <Checkbox
    label={label}
    checked={(value ?? byDefault) === true}
    error={error}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
);

export function FieldInput(props: FieldProps) {
  const { field } = props;
  switch (field.kind) {
    case 'text':
      return <TextField {...props} field={field} />;
    case 'choice':
      return <ChoiceField {...props} field={field} />;
    case 'number':
      return <NumberField {...props} field={field} />;
    case 'flag':
      return <FlagField {...props} field={field} />;
    default:
      return <FileField {...props} field={field} />;
  }
}

/** Whether a field needs the whole width of the form. */
export const isWide = (field: Field): boolean => field.kind === 'files' || (field.kind === 'text' && isLong(field));
