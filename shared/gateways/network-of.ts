/** Selects the social network that serves the pages of a channel on this stage. */
import type { Channel } from '../contracts/channels.ts';
import type { Settings } from '../platform/settings.ts';
import type { Network } from './social-network.ts';

type Apps = Pick<Settings, 'metaFacebookApp' | 'metaInstagramApp' | 'metaSandboxUrl'>;

/** The id of the Meta app that connects pages of a channel; `none` without one. */
export const metaAppOf = (channel: Channel, { metaFacebookApp, metaInstagramApp }: Apps): string =>
  channel === 'instagram' ? metaInstagramApp : metaFacebookApp;

/** The social network; undefined if pages of the channel cannot be connected. */
export function networkOf(channel: Channel, settings: Apps): Network | undefined {
  if (metaAppOf(channel, settings) === 'none') return undefined;
  return settings.metaSandboxUrl === 'none' ? 'meta' : 'sandbox';
}
