/** The account's tokens. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { scopes as allScopes } from '../../../shared/contracts/scopes.ts';
import type { Data } from '../../api/call.ts';
import { useApi, useCall } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { TestCredits } from './test-credits.tsx';
import { TokenCap } from './token-cap.tsx';

type Token = Data<typeof dashboardContracts.listTokens>['tokens'][number];

function Revoke({ token }: { readonly token: Token }) {
  const { text } = useLanguage();
  const queries = useQueryClient();
  const revoke = useCall(dashboardContracts.revokeToken, { onSuccess: () => queries.invalidateQueries() });
  return (
    <Confirm
      title={text.tokens.revokeTitle(token.name)}
      text={text.tokens.revokeText}
      action={text.tokens.revoke}
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutateAsync({ params: { tokenId: token.tokenId } })}
      button={(open) => (
        <Button size="xs" variant="default" onClick={open} aria-label={`${text.tokens.revoke}: ${token.name}`}>
          {text.tokens.revoke}
        </Button>
      )}
    />
  );
}

function TokenRow({ token }: { readonly token: Token }) {
  const { text, format } = useLanguage();
  const { createdAt, creditsSpentThisMonth, expiresAt, lastUsedAt, mode, monthlyCreditCap, name, scopes, status } =
    token;
  const facts = [
    `${text.common.created} ${format.day(createdAt)}`,
    `${text.tokens.lastUsed}: ${lastUsedAt ? format.ago(lastUsedAt) : text.common.never}`,
    `${text.tokens.expires}: ${expiresAt ? format.day(expiresAt) : text.tokens.expiry.never}`,
    ...(monthlyCreditCap === null
      ? []
      : [text.tokens.spent(format.number(creditsSpentThisMonth ?? 0), format.number(monthlyCreditCap))]),
  ];
  return (
    <Group component="li" justify="space-between" align="flex-start" gap="sm">
      <Stack gap={2} style={{ flex: '1 1 280px' }}>
        <Group gap="sm">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Status status={status} label={labelOf(text.tokenStatuses, status)} />
          {mode === 'test' && <Status status="test" label={text.tokens.modes.test} />}
        </Group>
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
        <Text size="sm" c="dimmed">
          {scopes.length === allScopes.length
            ? text.tokens.allScopes
            : scopes.map((scope) => labelOf(text.scopes, scope)).join(', ')}
        </Text>
      </Stack>
      {status === 'active' && (
        <Group gap="xs">
          <TokenCap token={token} />
          <Revoke token={token} />
        </Group>
      )}
    </Group>
  );
}

const CreateLink = () => {
  const { text } = useLanguage();
  return (
    <LinkButton to="/tokens/new" leftSection={<Icon name="plus" size={16} />}>
      {text.tokens.create}
    </LinkButton>
  );
};

export function Tokens() {
  const { text } = useLanguage();
  const query = useApi(dashboardContracts.listTokens);
  const isEmpty = query.data?.tokens.length === 0;
  return (
    <Page title={text.tokens.title} lead={text.tokens.lead} action={!isEmpty && <CreateLink />}>
      <Section title={text.tokens.title} isHeadingHidden>
        <Loaded query={query}>
          {({ tokens }) =>
            tokens.length === 0 ? (
              <Empty icon="tokens" title={text.tokens.empty} hint={text.tokens.emptyHint}>
                <CreateLink />
              </Empty>
            ) : (
              <ul className="rows">
                {tokens.map((token) => (
                  <TokenRow key={token.tokenId} token={token} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      {typeof query.data?.testCredits === 'number' && <TestCredits credits={query.data.testCredits} />}
    </Page>
  );
}
