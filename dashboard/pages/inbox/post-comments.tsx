/** The comments on a post with their replies, and a text box to comment. */
import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { pilotoCommentContracts } from '../../../shared/contracts/piloto-comments.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Pager, usePaging } from '../../parts/pager.tsx';
import { isLinkable } from './bubble.tsx';
import { type Comment, CommentCard } from './comment-card.tsx';
import { Compose } from './compose.tsx';

const { listCommentedPosts, listComments, replyToComment } = pilotoCommentContracts;

export type Post = Data<typeof listCommentedPosts>['posts'][number];

interface Branch {
  readonly top: Comment;
  /** The replies to the comment, oldest first. */
  readonly replies: readonly Comment[];
}

/**
 * Groups replies under their comments, newest first. A reply whose comment is on another page of the list stands alone.
 */
function branchesOf(comments: readonly Comment[]): Branch[] {
  const tops = new Set(comments.filter(({ parentId }) => parentId === null).map(({ id }) => id));
  return comments
    .filter(({ parentId }) => parentId === null || !tops.has(parentId))
    .map((top) => ({ top, replies: comments.filter(({ parentId }) => parentId === top.id).toReversed() }));
}

function Heading({ post: { caption, channel, permalink } }: { readonly post: Post }) {
  const { text } = useLanguage();
  return (
    <div>
      <Title order={2} lineClamp={3}>
        {caption ?? text.inbox.noCaption}
      </Title>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {text.inbox.channels[channel]}
        </Text>
        {isLinkable(permalink) && (
          <Anchor size="sm" href={permalink} target="_blank" rel="noopener noreferrer" underline="always">
            {text.inbox.openPost}
          </Anchor>
        )}
      </Group>
    </div>
  );
}

interface BranchItemProps {
  readonly branch: Branch;
  readonly card: Omit<ComponentProps<typeof CommentCard>, 'comment' | 'isBelowHidden'>;
}

const BranchItem = ({ branch: { top, replies }, card }: BranchItemProps) => (
  <li>
    <CommentCard comment={top} {...card} />
    {replies.length > 0 && (
      <ul>
        {replies.map((reply) => (
          <li key={reply.id}>
            <CommentCard comment={reply} isBelowHidden={top.hidden} {...card} />
          </li>
        ))}
      </ul>
    )}
  </li>
);

interface PostCommentsProps {
  readonly postId: string;
  /** The post; undefined while it is not in the loaded list. */
  readonly post: Post | undefined;
}

export function PostComments({ postId, post }: PostCommentsProps) {
  const { text } = useLanguage();
  const queries = useQueryClient();
  const paging = usePaging(50);
  const query = useApi(
    listComments,
    { params: { postId }, query: paging.query },
    { refetchInterval: 5000, placeholderData: (previous) => previous },
  );
  const renew = () => {
    for (const { operationId } of [listComments, listCommentedPosts])
      void queries.invalidateQueries({ queryKey: [operationId] });
  };
  return (
    <Stack gap="md">
      <TextLink to="/inbox" search={{ view: 'comments' }} size="sm" w="fit-content" className="phones-only">
        ← {text.inbox.comments}
      </TextLink>
      {post && <Heading post={post} />}
      <Loaded query={query} rows={5}>
        {({ comments }) => (
          <>
            <ul className="comments">
              {branchesOf(comments).map((branch) => (
                <BranchItem
                  key={branch.top.id}
                  branch={branch}
                  card={{ postId, channel: post?.channel, onChange: renew }}
                />
              ))}
            </ul>
            <Pager paging={paging} count={comments.length} of={text.inbox.comments} />
          </>
        )}
      </Loaded>
      <Compose
        label={text.inbox.comment}
        contract={replyToComment}
        requestOf={(written) => ({ params: { postId }, body: { text: written } })}
        onSent={renew}
      />
    </Stack>
  );
}
