/** The Account page: owner, connected pages, preferences, sessions and the export of the account. */
import { Button, Group } from '@mantine/core';
import { accountContracts } from '../../../shared/contracts/account.ts';
import { documentRoutes } from '../../../shared/contracts/documents.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useSession } from '../../app/session.tsx';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LogOut } from '../../parts/log-out.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { CloseAccount } from './close-account.tsx';
import { Connections } from './connections.tsx';
import { Export } from './export.tsx';
import { Preferences } from './preferences.tsx';
import { Retention } from './retention.tsx';
import { Sessions } from './sessions.tsx';

function Profile({ profile }: { readonly profile: Data<typeof accountContracts.getProfile> }) {
  const { text, format } = useLanguage();
  const { isView, kind, provider } = useSession();
  const { createdAt, email, features, id, limits, name, plan } = profile;
  const featureNames = features.map((feature) => labelOf(text.features, feature)).join(', ');
  return (
    <Facts
      facts={[
        [text.account.name, name],
        [text.account.email, email],
        ...(isView ? [] : [[text.account.logInWith, kind === 'password' ? text.account.password : provider] as const]),
        [text.account.plan, plan?.name ?? text.account.noPlan],
        [text.account.features, featureNames === '' ? text.account.noFeatures : featureNames],
        [text.account.since, format.day(createdAt)],
        [text.account.accountId, <code key="id">{id}</code>],
        [
          text.account.limits,
          <span key="limits">
            {text.account.requests(format.number(limits.requestsPerMinute))}
            <br />
            {text.account.simultaneous(format.number(limits.simultaneousTasks))}
          </span>,
        ],
      ]}
    />
  );
}

function Actions() {
  const { text } = useLanguage();
  const { apiUrl, isView } = useSession();
  return (
    <Group gap="sm">
      <Button
        component="a"
        href={apiUrl + documentRoutes.getDocs.path}
        variant="default"
        leftSection={<Icon name="book" size={16} />}
        className="phones-only"
      >
        {text.shell.documentation}
      </Button>
      {!isView && <LogOut />}
    </Group>
  );
}

export function Account() {
  const { text } = useLanguage();
  const profile = useApi(accountContracts.getProfile);
  const { isView } = useSession();
  return (
    <Page title={text.account.title} action={<Actions />}>
      <Section title={text.account.profile}>
        <Loaded query={profile}>{(data) => <Profile profile={data} />}</Loaded>
      </Section>
      <Connections />
      <Preferences />
      <Sessions />
      <Retention />
      {!isView && (
        <>
          <Export />
          <CloseAccount />
        </>
      )}
    </Page>
  );
}
