/** Which network answers for the pages of a channel on this stage. */
import type { Channel } from '../contracts/channels.ts';
import type { Settings } from '../platform/settings.ts';
import type { Network } from './social-network.ts';

type Apps = Pick<Settings, 'metaFacebookApp' | 'metaInstagramApp' | 'metaSandboxUrl'>;

/** The app at Meta to which pages of a channel are connected; `none` without one. */
export const metaAppOf = (channel: Channel, { metaFacebookApp, metaInstagramApp }: Apps): string =>
  channel === 'instagram' ? metaInstagramApp : metaFacebookApp;

/** Undefined if the owner of a page cannot be asked for consent. */
export function networkOf(channel: Channel, settings: Apps): Network | undefined {
  if (metaAppOf(channel, settings) === 'none') return undefined;
  return settings.metaSandboxUrl === 'none' ? 'meta' : 'sandbox';
}
