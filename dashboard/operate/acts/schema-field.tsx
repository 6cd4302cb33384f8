/** A form field that is generated from the schema of its value. */
import { Button, Checkbox, Fieldset, JsonInput, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { emptyValue, type JsonSchema, kindOf, numberOrText, resolved } from './json-schema.ts';

interface FieldProps {
  readonly label: string;
  readonly schema: JsonSchema;
  /** The schema in which references are resolved. */
  readonly root: JsonSchema;
  readonly isRequired: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

type Members = Readonly<Record<string, unknown>>;

interface GroupProps {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly value: Members;
  readonly onChange: (value: Members) => void;
  /** Members whose values the page has set, so that they are not shown. */
  readonly given?: Members;
}

/** The fields of an object. An optional member that is emptied is left out. */
export const SchemaFields = ({ given = {}, onChange, root, schema, value }: GroupProps) => (
  <Stack gap="sm">
    {Object.entries(schema.properties ?? {})
      .filter(([name]) => !Object.hasOwn(given, name))
      .map(([name, member]) => (
        <SchemaField
          key={name}
          label={name}
          schema={member}
          root={root}
          isRequired={schema.required?.includes(name) ?? false}
          value={value[name]}
          onChange={(changed) => {
            const { [name]: _old, ...others } = value;
            onChange(changed === undefined ? others : { ...others, [name]: changed });
          }}
        />
      ))}
  </Stack>
);

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** Keeps the text as typed, because unfinished JSON is not valid. */
function JsonField({ label, onChange, value }: Pick<FieldProps, 'label' | 'onChange' | 'value'>) {
  const [typed, setTyped] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  return (
    <JsonInput
      label={label}
      autosize
      minRows={3}
      maxRows={16}
      value={typed}
      validationError="This is not valid JSON."
      onChange={(text) => {
        setTyped(text);
        try {
          onChange(text.trim() === '' ? undefined : JSON.parse(text));
        } catch {
          onChange(text);
        }
      }}
    />
  );
}

function ListField({ label, onChange, root, schema, value }: FieldProps) {
  const entries = Array.isArray(value) ? (value as Members[]) : [];
  const item = resolved(schema.items ?? {}, root);
  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        {entries.map((entry, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no ids, and their fields keep no state
          <Fieldset key={position} legend={`${label} ${position + 1}`}>
            <Stack gap="sm">
              <SchemaFields
                schema={item}
                root={root}
                value={entry}
                onChange={(changed) => onChange(entries.with(position, changed))}
              />
              <Button
                size="xs"
                variant="default"
                onClick={() => onChange(entries.filter((_, index) => index !== position))}
              >
                {`Remove ${label} ${position + 1}`}
              </Button>
            </Stack>
          </Fieldset>
        ))}
        <Button size="xs" variant="default" onClick={() => onChange([...entries, emptyValue(item, root)])}>
          {`Add to ${label}`}
        </Button>
      </Stack>
    </Fieldset>
  );
}

const orLeftOut = (text: string, { isNullable }: { readonly isNullable: boolean }, isRequired: boolean): unknown => {
  if (text !== '') return text;
  if (isNullable) return null;
  return isRequired ? '' : undefined;
};

/** A field of a single text: a number, or any text. */
function TextField({ isNumber, label, props }: { isNumber: boolean; label: string; props: FieldProps }) {
  const { isRequired, onChange, root, value } = props;
  const schema = resolved(props.schema, root);
  const convert = isNumber ? numberOrText : (text: string) => text;
  return (
    <TextInput
      label={label}
      {...(isNumber && { inputMode: 'decimal' as const })}
      value={toText(value)}
      maxLength={schema.maxLength ?? 2000}
      onChange={({ currentTarget: { value: text } }) =>
        onChange(text === '' ? orLeftOut('', schema, isRequired) : convert(text))
      }
    />
  );
}

function LinesField({ label, onChange, value }: Pick<FieldProps, 'label' | 'onChange' | 'value'>) {
  return (
    <Textarea
      label={`${label}, one per line`}
      autosize
      minRows={2}
      maxRows={12}
      value={Array.isArray(value) ? value.join('\n') : ''}
      onChange={({ currentTarget: { value: text } }) => onChange(text === '' ? [] : text.split('\n'))}
    />
  );
}

function SchemaField(props: FieldProps) {
  const { isRequired, label: name, onChange, root, value } = props;
  const schema = resolved(props.schema, root);
  const label = schema.isNullable ? `${name} (empty: none)` : isRequired ? name : `${name} (optional)`;
  switch (kindOf(schema, root)) {
    case 'choice':
      return (
        <NativeSelect
          label={label}
          data={[...(isRequired && value !== undefined ? [] : ['']), ...(schema.enum ?? []).map(String)]}
          value={toText(value)}
          onChange={({ currentTarget }) => onChange(orLeftOut(currentTarget.value, schema, isRequired))}
        />
      );
    case 'flag':
      return (
        <Checkbox
          label={name}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'number':
    case 'text':
      return <TextField isNumber={schema.type !== 'string'} label={label} props={props} />;
    case 'lines':
      return <LinesField label={label} value={value} onChange={onChange} />;
    case 'group':
      return (
        <Fieldset legend={label}>
          <SchemaFields schema={schema} root={root} value={(value ?? {}) as Members} onChange={onChange} />
        </Fieldset>
      );
    case 'list':
      return <ListField {...props} schema={schema} />;
    default:
      return <JsonField label={label} value={value} onChange={onChange} />;
  }
}
