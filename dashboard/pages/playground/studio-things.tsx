/** The fields for products and avatars of Studio videos: existing ones can be chosen, and new ones created. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type studioContracts as contracts, studioContracts } from '../../../shared/contracts/studio.ts';
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';
import type { Data } from '../../api/call.ts';
import { useApi, useCall } from '../../api/use-api.ts';
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts';
import { useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { type Card, Cards } from './cards.tsx';
import type { FieldProps } from './field-input.tsx';
import { bodyOf, fieldsOf, type Values } from './fields.ts';
import { FormFields } from './form-fields.tsx';
import { foundProblems, type Problems, problemsOf } from './problems.ts';
import { useTexts } from './use-texts.ts';

type Creation = typeof contracts.createStudioProduct | typeof contracts.createStudioAvatar;

interface NewThingProps<Contract extends Creation> {
  readonly contract: Contract;
  /** The fields that the form shows, of all that the contract has. */
  readonly shown: readonly string[];
  readonly title: string;
  readonly mode: TokenMode;
  readonly isOpen: boolean;
  readonly onCreated: (created: Data<Contract>) => void;
}

/** The values of the small form, and how they are sent. */
function useCreation<Contract extends Creation>({ contract, shown, mode, onCreated }: NewThingProps<Contract>) {
  const { text } = useLanguage();
  const [values, setValues] = useState<Values>({});
  const [found, setFound] = useState<Problems>({});
  const [idempotencyKey, renew] = useIdempotencyKey();
  const fields = fieldsOf(contract.body, (name) => shown.includes(name));
  const creation = useCall<Contract>(contract, {
    onSuccess: (created) => {
      renew();
      setValues({});
      onCreated(created);
    },
  });
  const change = (changed: Values) => {
    if (creation.isError) renew();
    creation.reset();
    setFound({});
    setValues(changed);
  };
  const create = () => {
    const body = bodyOf(values);
    const problems = foundProblems(contract.body, body, fields);
    setFound(problems);
    if (Object.keys(problems).length === 0) creation.mutate({ body: body as never, mode, idempotencyKey });
  };
  const rejected = problemsOf(creation.error, fields);
  const problems = { ...rejected, ...found };
  const other = problems[''] ?? (creation.error && !rejected ? failureText(creation.error, text) : undefined);
  return { fields, values, problems, other, change, create, isPending: creation.isPending };
}

/** A small form inside the form of the video; its button must not submit the outer form. */
function NewThing<Contract extends Creation>(props: NewThingProps<Contract>) {
  const { title, mode, isOpen } = props;
  const texts = useTexts();
  const { fields, values, problems, other, change, create, isPending } = useCreation(props);
  return (
    <details className="new-thing" open={isOpen}>
      <summary>{title}</summary>
      <Stack gap="sm" mt="sm">
        <FormFields fields={fields} values={values} problems={problems} mode={mode} onChange={change} />
        {other !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {other}
          </Text>
        )}
        <Group>
          <Button size="xs" variant="default" loading={isPending} onClick={create}>
            {texts.create}
          </Button>
        </Group>
      </Stack>
    </details>
  );
}

const thumbnail = (url: string | undefined): ReactNode =>
  url === undefined ? undefined : <img src={url} alt="" width={44} height={44} loading="lazy" />;

export function ProductPicker({ label, mode, value, error, onChange }: FieldProps) {
  const texts = useTexts();
  const queries = useQueryClient();
  const query = useApi(studioContracts.listStudioProducts, { mode });
  return (
    <Loaded query={query}>
      {({ products }) => (
        <Cards
          label={label}
          isRequired
          value={value}
          error={error}
          cards={products.map(({ id, title, description, images }) => ({
            value: id,
            title,
            text: description.slice(0, 90),
            picture: thumbnail(images[0]?.url),
          }))}
          onChange={onChange}
        >
          {products.length === 0 && <Text size="sm">{texts.noProducts}</Text>}
          <NewThing
            contract={studioContracts.createStudioProduct}
            shown={['images', 'title', 'description']}
            title={texts.newProduct}
            mode={mode}
            isOpen={products.length === 0}
            onCreated={({ id }) => {
              onChange(id);
              void queries.invalidateQueries({ queryKey: [studioContracts.listStudioProducts.operationId] });
            }}
          />
        </Cards>
      )}
    </Loaded>
  );
}

/** Avatars cannot be listed: those that were created here can be chosen. */
export function AvatarPicker({ label, mode, value, error, onChange }: FieldProps) {
  const texts = useTexts();
  const [created, setCreated] = useState<readonly Card[]>([]);
  const isKnown = typeof value !== 'string' || value === '' || created.some((card) => card.value === value);
  const cards = [{ value: '', title: texts.none }, ...created, ...(isKnown ? [] : [{ value, title: value }])];
  return (
    <Cards label={label} isRequired={false} value={value} error={error} cards={cards} onChange={onChange}>
      <NewThing
        contract={studioContracts.createStudioAvatar}
        shown={['name', 'imageUrl', 'gender']}
        title={texts.newAvatar}
        mode={mode}
        isOpen={false}
        onCreated={({ id, name }) => {
          setCreated((known) => [...known, { value: id, title: name }]);
          onChange(id);
        }}
      />
    </Cards>
  );
}
