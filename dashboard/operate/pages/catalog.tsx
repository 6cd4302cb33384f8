/** The current values of the catalog. */
import { Anchor, Code, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { operateRecordContracts } from '../../../shared/contracts/operate-records.ts';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { ActButton } from '../acts/act-button.tsx';

const hintOf = (stored: readonly string[], ignored: readonly string[]): string =>
  [
    stored.length === 0 ? 'Only defaults.' : `Stored: ${stored.join(', ')}.`,
    ...(ignored.length === 0 ? [] : [`Invalid, so that defaults apply: ${ignored.join(', ')}.`]),
  ].join(' ');

export function Catalog() {
  const query = useApi(operateRecordContracts.getCatalog);
  return (
    <Page
      title="Catalog"
      lead="What is sold and how it is made. Changes take effect within 30 seconds."
      action={
        <Group gap="xs">
          <ActButton act="setPrice" label="Set a price" />
          <ActButton act="switchOperation" label="Switch an operation" />
          <ActButton act="useRoutes" label="Choose engines" />
        </Group>
      }
    >
      <Loaded query={query} rows={8}>
        {({ rows }) =>
          rows.map(({ ignored, members, row, stored }) => (
            <Section
              key={row}
              title={row}
              hint={hintOf(stored, ignored)}
              action={
                <Anchor component="span" size="sm">
                  <Link to="/catalog/$row" params={{ row }}>{`Change ${row}, history`}</Link>
                </Anchor>
              }
            >
              <Code block tabIndex={0} mah={320} style={{ overflow: 'auto' }}>
                {JSON.stringify(members, null, 2)}
              </Code>
            </Section>
          ))
        }
      </Loaded>
    </Page>
  );
}
