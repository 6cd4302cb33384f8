/** Pages of the sandbox that are connected to an account, as the command connects them. */
import { createHmac } from 'node:crypto';
import type { SandboxPage } from '../../fakes/meta/meta-records.ts';
import { sandboxTokens } from '../../infra/cli/sandbox-pages.ts';
import { inboundRoutes } from '../../shared/contracts/inbound.ts';
import { type ConnectNeeds, connectPage } from '../../shared/domain/piloto/pages/connect-page.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';
import { eventually } from './eventually.ts';
import type { TestService } from './test-service.ts';

export const connectNeeds = (context: FullContext): FullContext & ConnectNeeds => ({
  ...context,
  connections: connectionStore(context.table),
  inboxQueue: inboxQueue(context),
  secretBox: secretBoxOf(context),
  socialNetwork: socialNetwork(context),
});

/** Connects the account's two pages to a service, which may run in another process, and waits until they are copied. */
export async function connectAndCopy(context: FullContext, accountId: string) {
  const needs = connectNeeds(context);
  for (const grant of await sandboxTokens(context, accountId))
    await connectPage(needs, { accountId, network: 'sandbox', ...grant });
  const copied = async () => {
    const all = await needs.connections.of(accountId);
    return all.every(({ syncedAt }) => syncedAt !== undefined) ? all : undefined;
  };
  return { needs, connections: await eventually('the first synchronization', copied) };
}

/** Connects the account's two pages, and waits until they are copied. */
export async function connectPages({ service }: Pick<TestService, 'service'>, accountId: string) {
  const { connections, needs } = await connectAndCopy(service.context, accountId);
  const pages = connections.map(({ pageId }) => service.social.world.page(pageId)).filter((page) => page !== undefined);
  return { needs, connections, pages };
}

/** A callback of Meta about a user who withdraws consent. */
export function withdrawal(secret: string, { userId }: Pick<SandboxPage, 'userId'>): URLSearchParams {
  const payload = Buffer.from(JSON.stringify({ algorithm: 'HMAC-SHA256', user_id: userId })).toString('base64url');
  const signature = createHmac('sha256', secret).update(payload).digest('base64url');
  return new URLSearchParams({ signed_request: `${signature}.${payload}` });
}

export const withdraw = (url: string, notice: 'deauthorize' | 'data-deletion', body: URLSearchParams) =>
  fetch(url + inboundRoutes.receiveSocialWithdrawal.path.replace('{notice}', notice), { method: 'POST', body });
