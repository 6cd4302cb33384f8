/** One comment and the actions on it. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Channel } from '../../../shared/contracts/channels.ts';
import { pilotoCommentContracts } from '../../../shared/contracts/piloto-comments.ts';
import type { Data } from '../../api/call.ts';
import { useCall } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Compose } from './compose.tsx';
import { NetworkFailure } from './network-failure.tsx';

export type Comment = Data<typeof pilotoCommentContracts.listComments>['comments'][number];

const { hideComment, likeComment, replyToComment, unhideComment, unlikeComment } = pilotoCommentContracts;

interface CommentCardProps {
  readonly postId: string;
  readonly comment: Comment;
  /** The social network of the post; undefined while it is unknown. */
  readonly channel: Channel | undefined;
  /** Social networks accept no replies to a hidden comment or below it. */
  readonly isBelowHidden?: boolean;
  readonly onChange: () => void;
}

function Facts({ comment: { createdAt, hidden, likeCount } }: Pick<CommentCardProps, 'comment'>) {
  const { text, format } = useLanguage();
  const facts = [...(likeCount > 0 ? [text.inbox.likes(likeCount)] : []), ...(hidden ? [text.inbox.hidden] : [])];
  return (
    <Text size="xs" c="dimmed" component="span">
      <time dateTime={createdAt} title={format.exact(createdAt)}>
        {format.ago(createdAt)}
      </time>
      {facts.map((fact) => ` · ${fact}`)}
    </Text>
  );
}

function Moderation({ postId, comment, channel, onChange }: CommentCardProps) {
  const { text } = useLanguage();
  const { author, hidden, id: commentId, liked } = comment;
  const visibility = useCall<typeof hideComment | typeof unhideComment>(hidden ? unhideComment : hideComment, {
    onSuccess: onChange,
  });
  const like = useCall<typeof likeComment | typeof unlikeComment>(liked ? unlikeComment : likeComment, {
    onSuccess: onChange,
  });
  const actions = [
    { label: hidden ? text.inbox.unhide : text.inbox.hide, call: visibility },
    // Instagram does not let pages like comments.
    ...(channel === 'facebook' ? [{ label: liked ? text.inbox.unlike : text.inbox.like, call: like }] : []),
  ];
  return (
    <>
      {actions.map(({ label, call }) => (
        <Button
          key={label}
          size="compact-xs"
          variant="subtle"
          color="gray"
          c="dimmed"
          aria-label={text.inbox.of(label, author.username)}
          loading={call.isPending}
          onClick={() => call.mutate({ params: { postId, commentId } })}
        >
          {label}
        </Button>
      ))}
      <NetworkFailure error={visibility.error ?? like.error} />
    </>
  );
}

export function CommentCard(props: CommentCardProps) {
  const { postId, comment, isBelowHidden = false, onChange } = props;
  const { text } = useLanguage();
  const [isReplying, setReplying] = useState(false);
  const { author, hidden, id: commentId } = comment;
  const canReply = !hidden && !isBelowHidden;
  const sent = () => {
    setReplying(false);
    onChange();
  };
  return (
    <Stack gap={4} className="comment" data-hidden={hidden}>
      <Group gap="xs" align="baseline">
        <Text size="sm" fw={600} component="span">
          {author.username}
        </Text>
        <Facts comment={comment} />
      </Group>
      <p>{comment.text}</p>
      <Group gap={4}>
        {canReply && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            c="dimmed"
            aria-label={text.inbox.replyTo(author.username)}
            aria-expanded={isReplying}
            onClick={() => setReplying(!isReplying)}
          >
            {text.inbox.reply}
          </Button>
        )}
        <Moderation {...props} />
      </Group>
      {canReply && isReplying && (
        <Compose
          label={text.inbox.replyTo(author.username)}
          contract={replyToComment}
          requestOf={(written) => ({ params: { postId }, body: { text: written, commentId } })}
          onSent={sent}
        />
      )}
    </Stack>
  );
}
