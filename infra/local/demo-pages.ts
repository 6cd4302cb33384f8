/** Connects the demo account to pages in the social sandbox, so that its inbox is not empty. */
import { connectPage } from '../../shared/domain/piloto/pages/connect-page.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import type { Service } from './host.ts';

/** Does nothing if a page is already connected, so that changes by a user remain. */
export async function connectDemoPages(
  { context, social }: Pick<Service, 'context' | 'social'>,
  accountId: string,
): Promise<void> {
  const connections = connectionStore(context.table);
  if ((await connections.of(accountId)).length > 0) return;
  const ports = {
    inboxQueue: inboxQueue(context),
    secretBox: secretBoxOf(context),
    socialNetwork: socialNetwork(context),
  };
  for (const page of social.world.shopOf(accountId)) {
    const accessToken = page.tokens.at(-1) ?? social.world.grant(page);
    const grant = { accountId, channel: page.channel, network: 'sandbox', accessToken } as const;
    await connectPage({ ...context, ...ports, connections }, grant);
  }
}
