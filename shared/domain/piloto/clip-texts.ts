/** Bounds what networks report, so that every row and every response has a known size. */
import type { NetworkAttachment } from '../../gateways/social-network.ts';

/** Longer than any network lets people write. */
const longestText = 10_000;
const mostAttachments = 20;
const longestUrl = 4096;

/** In UTF-16 units, without a half of a character at the end. */
export const clipped = (text: string): string => text.slice(0, longestText).toWellFormed();

/** A URL that is too long is of no use cut short. */
export const isShortUrl = (url: string): boolean => url.length <= longestUrl;

interface Written {
  readonly text: string | null;
  readonly attachments: readonly NetworkAttachment[];
}

export const clippedMessage = <Message extends Written>(message: Message): Message => ({
  ...message,
  text: message.text === null ? null : clipped(message.text),
  attachments: message.attachments.filter(({ url }) => isShortUrl(url)).slice(0, mostAttachments),
});
