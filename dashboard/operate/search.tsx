/** The operators' search by any id, name or address that a customer, a payment gateway or a log may mention. */
import { Anchor, Group, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { operateSearchContracts } from '../../shared/contracts/operate-search.ts';
import type { Data } from '../api/call.ts';
import { useCall } from '../api/use-api.ts';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { Status } from '../parts/status.tsx';

type Thing = Data<typeof operateSearchContracts.findAnything>['found'][number];

interface EntryProps {
  readonly thing: Thing;
  readonly onChosen: () => void;
}

/** Tasks have pages of their own; everything else is on the page of its account. */
function ThingLink({ thing, onChosen }: EntryProps) {
  const { accountId, id, kind } = thing;
  if (kind === 'task') {
    return (
      <Link to="/tasks/$taskId" params={{ taskId: id }} onClick={onChosen}>
        {`task ${id}`}
      </Link>
    );
  }
  if (accountId === null) return <span>{`${kind} ${id}`}</span>;
  return (
    <Link to="/customers/$accountId" params={{ accountId: accountId.replace(/^test-/, '') }} onClick={onChosen}>
      {kind === 'account' ? (thing.email ?? id) : `${kind} ${id}`}
    </Link>
  );
}

const Entry = ({ thing, onChosen }: EntryProps) => (
  <li>
    <Group gap="xs" justify="space-between" wrap="nowrap">
      <Anchor component="span" style={{ overflowWrap: 'anywhere' }}>
        <ThingLink thing={thing} onChosen={onChosen} />
      </Anchor>
      <Status status={thing.state} label={thing.state} />
    </Group>
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {[thing.about, thing.kind === 'account' ? thing.name : thing.email].filter(Boolean).join(' · ')}
    </Text>
  </li>
);

export function Search({ onChosen }: { readonly onChosen: () => void }) {
  const [text, setText] = useState('');
  const search = useCall(operateSearchContracts.findAnything);
  const [searched, setSearched] = useState('');
  const results = useRef<HTMLUListElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    if (wanted === '') return;
    const links = results.current?.querySelectorAll('a') ?? [];
    // Enter opens the only hit of the text that is shown.
    if (wanted === searched && links.length === 1) return links[0]?.click();
    setSearched(wanted);
    search.mutate({ body: { text: wanted } });
  };
  return (
    <Stack>
      <form onSubmit={submit}>
        <TextInput
          data-autofocus
          leftSection={<Icon name="search" />}
          label="E-mail address, name, id, end of a token, reference, payment, request, result or page"
          value={text}
          maxLength={2048}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      {search.error && <Failure error={search.error} />}
      {search.data && (
        <div role="status">
          {search.data.found.length === 0 && <Text size="sm">Nothing was found. Whole texts are compared.</Text>}
          <ul className="found" ref={results}>
            {search.data.found.map((thing) => (
              <Entry key={`${thing.kind} ${thing.accountId} ${thing.id}`} thing={thing} onChosen={onChosen} />
            ))}
          </ul>
          {search.data.hasMore && <Text size="sm">There are more: search for something rarer.</Text>}
        </div>
      )}
    </Stack>
  );
}
