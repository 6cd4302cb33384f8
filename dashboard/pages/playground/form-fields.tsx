/** The fields of a form, side by side where there is room. */
import type { FunctionComponent } from 'react';
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';
import { useLanguage } from '../../language/language.tsx';
import { FieldInput, type FieldProps, isWide } from './field-input.tsx';
import type { Field, FieldName, Values } from './fields.ts';
import type { Problems } from './problems.ts';
import { useTexts } from './use-texts.ts';

/** Inputs for fields whose options are listed by another operation. */
export type Pickers = Readonly<Partial<Record<FieldName, FunctionComponent<FieldProps>>>>;

interface FormFieldsProps {
  readonly fields: readonly Field[];
  readonly values: Values;
  /** The problems of fields, by the name of the field. */
  readonly problems: Problems;
  readonly mode: TokenMode;
  readonly pickers?: Pickers;
  readonly onChange: (values: Values) => void;
}

/**
 * What a field accepts: in the language of the page where the kind of field is known, otherwise in the service's own
 * words.
 */
function useProblemText() {
  const texts = useTexts();
  const { format } = useLanguage();
  return (field: Field, value: unknown, said: string | undefined): string | undefined => {
    if (said === undefined) return undefined;
    const sentence = texts.problem(texts.fields[field.name], said);
    if (value === undefined || value === '')
      return field.isRequired || said.endsWith('is required') ? texts.missing : sentence;
    if (field.kind === 'text' && field.max !== undefined && typeof value === 'string' && value.length > field.max)
      return texts.tooLong(format.number(field.max));
    if (field.kind === 'number' && field.max !== undefined)
      return texts.outside(format.number(field.min), format.number(field.max));
    return sentence;
  };
}

export function FormFields({ fields, values, problems, mode, pickers = {}, onChange }: FormFieldsProps) {
  const texts = useTexts();
  const problemText = useProblemText();
  return (
    <div className="fields">
      {fields.map((field) => {
        const { isRequired, kind, name } = field;
        const value = values[name];
        const Picker = pickers[name];
        const Shown = Picker ?? FieldInput;
        const isNoted = !isRequired && (kind === 'files' || kind === 'text');
        return (
          <div key={name} data-wide={Picker !== undefined || isWide(field)} data-field={name}>
            <Shown
              field={field}
              label={isNoted ? `${texts.fields[name]} (${texts.optional})` : texts.fields[name]}
              mode={mode}
              values={values}
              value={value}
              error={problemText(field, value, problems[name])}
              onChange={(changed, others) => onChange({ ...values, ...others, [name]: changed })}
            />
          </div>
        );
      })}
    </div>
  );
}
