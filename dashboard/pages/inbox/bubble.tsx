/** One message. */
import { Anchor, Text } from '@mantine/core';
import type { pilotoMessageContracts } from '../../../shared/contracts/piloto-messages.ts';
import type { Data } from '../../api/call.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';

type Message = Data<typeof pilotoMessageContracts.listMessages>['messages'][number];

/** Whether a page may link to a URL, which must use TLS if the page itself does. */
export function isLinkable(url: string): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol === 'https:' || (protocol === 'http:' && location.protocol === 'http:');
}

/**
 * An attachment. It is loaded from the social network only when the reader opens it, so the network does not learn what
 * was shown.
 */
function Attachment({ type, url }: Message['attachments'][number]) {
  const { text } = useLanguage();
  const label = Object.hasOwn(text.inbox.attachments, type)
    ? labelOf(text.inbox.attachments, type)
    : text.inbox.attachment;
  if (!isLinkable(url)) return <span>{label}</span>;
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm" c="inherit" underline="always">
      {label}
    </Anchor>
  );
}

export function Bubble({ message }: { readonly message: Message }) {
  const { text, format } = useLanguage();
  const { attachments, createdAt, direction, status } = message;
  const isOwn = direction === 'outbound';
  return (
    <li className="bubble" data-own={isOwn}>
      {message.text !== null && <p>{message.text}</p>}
      {attachments.map((attachment) => (
        <Attachment key={attachment.url} {...attachment} />
      ))}
      <Text component="small" size="xs">
        <time dateTime={createdAt} title={format.exact(createdAt)}>
          {format.ago(createdAt)}
        </time>
        {isOwn && ` · ${labelOf(text.inbox.statuses, status)}`}
      </Text>
    </li>
  );
}
