/** The inbox: conversations of the account's pages, and comments by post. */
import './inbox.css';
import { SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../../app/session.tsx';
import { useLanguage } from '../../language/language.tsx';
import { Empty } from '../../parts/empty.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { Page } from '../../parts/page.tsx';
import { Comments } from './comments.tsx';
import { Conversations } from './conversations.tsx';

const route = getRouteApi('/inbox');

const commentsView = 'comments';

function Views() {
  const { text } = useLanguage();
  const { view = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <SegmentedControl
      size="xs"
      aria-label={text.inbox.view}
      value={view === commentsView ? view : ''}
      onChange={(chosen) => void navigate({ search: chosen === '' ? {} : { view: chosen } })}
      data={[
        { value: '', label: text.inbox.conversations },
        { value: commentsView, label: text.inbox.comments },
      ]}
    />
  );
}

export function Inbox() {
  const { text } = useLanguage();
  const { features } = useSession();
  const { view } = route.useSearch();
  if (!features.includes('piloto')) {
    return (
      <Page title={text.inbox.title}>
        <Empty icon="inbox" title={text.inbox.notInPlan} hint={text.inbox.notInPlanHint}>
          <LinkButton to="/billing">{text.inbox.seePlans}</LinkButton>
        </Empty>
      </Page>
    );
  }
  return (
    <Page title={text.inbox.title} lead={text.inbox.lead} action={<Views />}>
      {view === commentsView ? <Comments /> : <Conversations />}
    </Page>
  );
}
