/** The posts that have comments, and the comments on the open one. */
import { Group, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { pilotoCommentContracts } from '../../../shared/contracts/piloto-comments.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { usePaging } from '../../parts/pager.tsx';
import { Panes } from './panes.tsx';
import { type Post, PostComments } from './post-comments.tsx';

const route = getRouteApi('/inbox');

function Row({ post }: { readonly post: Post }) {
  const { text, format } = useLanguage();
  const { caption, channel, commentCount, lastCommentAt, postId, unansweredCount } = post;
  const facts = [
    text.inbox.channels[channel],
    text.inbox.commentCount(commentCount),
    ...(unansweredCount > 0 ? [text.inbox.unanswered(unansweredCount)] : []),
  ];
  return (
    <li>
      <TextLink to="/inbox" search={(kept) => ({ ...kept, open: postId })} className="inbox-row" underline="never">
        <Group component="span" justify="space-between" gap="xs" wrap="nowrap">
          <Text component="span" size="sm" fw={unansweredCount > 0 ? 700 : 500} truncate>
            {caption ?? text.inbox.noCaption}
          </Text>
          <Text component="span" size="xs" c="dimmed" style={{ flex: 'none' }}>
            {format.ago(lastCommentAt)}
          </Text>
        </Group>
        <Text component="span" size="xs" c="dimmed">
          {facts.join(' · ')}
        </Text>
      </TextLink>
    </li>
  );
}

export function Comments() {
  const { text } = useLanguage();
  const { open } = route.useSearch();
  const paging = usePaging(20);
  const query = useApi(
    pilotoCommentContracts.listCommentedPosts,
    { query: paging.query },
    { refetchInterval: 8000, placeholderData: (previous) => previous },
  );
  const post = query.data?.posts.find(({ postId }) => postId === open);
  return (
    <Panes
      title={text.inbox.comments}
      query={query}
      paging={paging}
      rowsOf={({ posts }) => posts}
      empty={<Empty icon="inbox" title={text.inbox.noPosts} hint={text.inbox.noPostsHint} />}
      row={(one) => <Row key={one.postId} post={one} />}
      choose={text.inbox.choosePost}
      chosen={open && <PostComments key={open} postId={open} post={post} />}
    />
  );
}
