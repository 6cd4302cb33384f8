/** Truncates what social networks report, so that rows and responses have a known maximum size. */
import { longestNetworkUrl, maxAttachments } from '../../contracts/channels.ts';
import type { NetworkAttachment } from '../../gateways/social-network.ts';
import { outsideText } from '../../platform/outside-text.ts';

/** Whether a URL is short enough to store; a truncated one would be useless. */
export const isShortUrl = (url: string): boolean => Buffer.byteLength(url) <= longestNetworkUrl;

interface Written {
  readonly text: string | null;
  readonly attachments: readonly NetworkAttachment[];
}

export const clippedMessage = <Message extends Written>(message: Message): Message => ({
  ...message,
  text: message.text === null ? null : outsideText(message.text),
  attachments: message.attachments.filter(({ url }) => isShortUrl(url)).slice(0, maxAttachments),
});
