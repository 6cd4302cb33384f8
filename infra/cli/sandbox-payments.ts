/** Makes payments in the sandbox for PIX. */
import type { Settings } from '../../shared/platform/settings.ts';
import { commandFailed } from './exit-error.ts';

/** Whether a gateway is a sandbox; real gateways are reached only over TLS. */
export const hasSandbox = ({ pixGateway, mercadoPagoUrl }: Settings): boolean =>
  pixGateway !== 'none' && new URL(mercadoPagoUrl).protocol === 'http:';

/** Pays a charge on its page; the sandbox then sends the event. @throws {ExitError} */
export async function payInSandbox({ mercadoPagoUrl }: Settings, chargeId: string): Promise<void> {
  const { status } = await fetch(`${mercadoPagoUrl}/payments/${encodeURIComponent(chargeId)}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: 'pay', events: 'at once' }),
  });
  if (status !== 303)
    throw commandFailed(`The sandbox for payments responded with ${status}: the charge was not paid.`);
}
