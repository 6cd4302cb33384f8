/** A new token and its webhook token, shown only once. */
import { Alert, Group, Stack, Text } from '@mantine/core';
import type { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { tokenVariable } from '../../../shared/contracts/openapi/code-samples.ts';
import type { Data } from '../../api/call.ts';
import { useLanguage } from '../../language/language.tsx';
import { CodeBlock, Copy } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { useFirstRequest } from '../overview/first-request.tsx';

const Secret = ({ label, value, hint }: { readonly label: string; readonly value: string; readonly hint?: string }) => (
  <Stack gap={6}>
    <Group justify="space-between" align="flex-end">
      <div>
        <Text fw={600} size="sm">
          {label}
        </Text>
        {hint !== undefined && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </div>
      <Copy value={value} of={label} variant="filled" />
    </Group>
    <div className="secret">{value}</div>
  </Stack>
);

export function CreatedToken({ created }: { readonly created: Data<typeof dashboardContracts.createToken> }) {
  const { text } = useLanguage();
  const { token, webhookToken } = created;
  const request = useFirstRequest();
  return (
    <Page title={text.tokens.created}>
      <Section title={created.mode === 'test' ? `${created.name} · ${text.tokens.modes.test}` : created.name}>
        <Alert color="yellow" icon={<Icon name="alert" />} c="var(--mantine-color-text)">
          {text.tokens.once}
        </Alert>
        <Secret label={text.tokens.token} value={token} />
        <Secret label={text.tokens.webhookToken} value={webhookToken} hint={text.tokens.webhookTokenHint} />
        <CodeBlock
          label={text.tokens.tryIt}
          code={`export ${tokenVariable}=av_…\n${request}`}
          copied={`export ${tokenVariable}=${token}\n${request}`}
        />
        <Group>
          <LinkButton to="/tokens">{text.tokens.done}</LinkButton>
        </Group>
      </Section>
    </Page>
  );
}
