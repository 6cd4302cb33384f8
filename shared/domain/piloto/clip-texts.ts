/** Bounds what networks report, so that every row and the longest list of a response have a known size. */
import { longestNetworkUrl, mostAttachments } from '../../contracts/channels.ts';
import type { NetworkAttachment } from '../../gateways/social-network.ts';

/** Longer than any network lets people write. */
const longestText = 10_000;

/** Escaped, they are six times as long. */
const controlCharacters = /[^\P{Cc}\t\n\r]/gu;

/** In UTF-16 units, without a half of a character at the end, and without control characters but for white space. */
export const clipped = (text: string): string =>
  text.replaceAll(controlCharacters, '').slice(0, longestText).toWellFormed();

/** A URL that is too long is of no use cut short. */
export const isShortUrl = (url: string): boolean => Buffer.byteLength(url) <= longestNetworkUrl;

interface Written {
  readonly text: string | null;
  readonly attachments: readonly NetworkAttachment[];
}

export const clippedMessage = <Message extends Written>(message: Message): Message => ({
  ...message,
  text: message.text === null ? null : clipped(message.text),
  attachments: message.attachments.filter(({ url }) => isShortUrl(url)).slice(0, mostAttachments),
});
