/** The external parties of a service under test, behind proxies that can distort what they say. */
import { settingVariables } from '../../../shared/platform/settings.ts';
import type { TestService } from '../../support/test-service.ts';
import { proxy } from '../faults/proxy.ts';
import { type DistortingProxy, distortingProxy } from './distorting-proxy.ts';
import type { Parties } from './inbound-sources.ts';

/** Starts the proxies before the service, whose environment leads to them; `host` is called once it runs. */
export async function outsideParties(host: () => TestService) {
  const to = (of: 'payments' | 'subscriptions' | 'social'): Promise<DistortingProxy> =>
    distortingProxy(() => host().service[of].url);
  const [payments, subscriptions, social] = await Promise.all([to('payments'), to('subscriptions'), to('social')]);
  const parties: Parties = { payments, subscriptions, social, claims: {} };
  const tokens = await proxy(async () => {
    const body = JSON.stringify({ id_token: await host().service.identity?.sign(parties.claims) });
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  });
  return {
    parties,
    environment: {
      [settingVariables.mercadoPagoUrl]: payments.url,
      [settingVariables.stripeUrl]: subscriptions.url,
      [settingVariables.metaSandboxUrl]: social.url,
      [settingVariables.identityUrl]: tokens.url,
    },
    async close(): Promise<void> {
      await Promise.all([payments, subscriptions, social, tokens].map((one) => one.close()));
    },
  };
}
