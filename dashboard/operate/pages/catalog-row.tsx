/** A row of the catalog: its members, each with a form, and its history. */
import { Code, Group } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { operateActContracts } from '../../../shared/contracts/operate-acts.ts';
import { operateRecordContracts } from '../../../shared/contracts/operate-records.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { ActButton } from '../acts/act-button.tsx';
import { ActsTable } from '../acts/acts-table.tsx';
import type { JsonSchema } from '../acts/json-schema.ts';

type Row = Data<typeof operateRecordContracts.getCatalog>['rows'][number];

/**
 * The input of an act that changes one member; its schema comes from the catalog, because the act itself accepts any
 * value.
 */
const schemaOf = (member: string, { $defs = {}, ...schema }: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { members: { type: 'object', properties: { [member]: schema }, required: [member] } },
  required: ['members'],
  $defs,
});

const hintOf = ({ ignored, stored }: Row, member: string): string => {
  if (ignored.includes(member)) return 'The stored value is invalid, so the default applies.';
  return stored.includes(member) ? 'Changed by operators.' : 'The default.';
};

interface MemberProps {
  readonly row: Row;
  readonly member: string;
}

const Member = ({ member, row }: MemberProps) => (
  <Section
    title={member}
    hint={hintOf(row, member)}
    action={
      <Group gap="xs">
        <ActButton
          act="changeCatalog"
          label={`Change ${member}`}
          given={{ row: row.row }}
          initial={{ members: { [member]: row.members[member] } }}
          schema={schemaOf(member, row.schemas[member] ?? {})}
        />
        {(row.stored.includes(member) || row.ignored.includes(member)) && (
          <ActButton act="resetCatalog" label={`Reset ${member}`} given={{ row: row.row, member }} />
        )}
      </Group>
    }
  >
    <Code block tabIndex={0} mah={240} style={{ overflow: 'auto' }}>
      {JSON.stringify(row.members[member], null, 2)}
    </Code>
  </Section>
);

function History({ row }: { readonly row: string }) {
  const query = useApi(operateActContracts.listActs, { query: { row, limit: 50 } });
  return (
    <Loaded query={query}>
      {({ acts }) => (
        <ActsTable
          title="History"
          acts={acts}
          actionOf={({ after, state }) =>
            state === 'done' &&
            typeof after?.version === 'number' && (
              <ActButton act="undoCatalog" label={`Undo ${after.version}`} given={{ row, version: after.version }} />
            )
          }
        />
      )}
    </Loaded>
  );
}

export function CatalogRowPage() {
  const { row: name } = useParams({ from: '/catalog/$row' });
  const query = useApi(operateRecordContracts.getCatalog);
  return (
    <Page title={`Catalog: ${name}`} lead="Changes take effect within 30 seconds.">
      <Loaded query={query} rows={8}>
        {({ rows }) => {
          const row = rows.find((one) => one.row === name);
          if (!row) return <Empty icon="book" title="There is no such row." />;
          const members = [...new Set([...Object.keys(row.members), ...row.ignored])];
          return members.map((member) => <Member key={member} member={member} row={row} />);
        }}
      </Loaded>
      <History row={name} />
    </Page>
  );
}
