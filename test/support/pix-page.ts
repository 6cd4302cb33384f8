/** Operates a payment's page in the sandbox, and reads the events that the sandbox has sent. */
import type { EventDelivery } from '../../fakes/event-sender.ts';
import type { Action } from '../../fakes/mercado-pago/fake-payments.ts';
import type { SentNotification } from '../../fakes/mercado-pago/payment-events.ts';

export type PixButton = Action | 'notify';

export interface PixPage {
  readonly url: string;
  /** Presses a button; `events` is how the resulting event is delivered. */
  press(button: PixButton, events?: EventDelivery): Promise<void>;
  /** The current page. */
  html(): Promise<string>;
  /** The events that were sent for the payment, with the service's responses, oldest first. */
  events(): Promise<readonly SentNotification[]>;
}

async function fetched(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  return response;
}

/** Opens the page for the code of an order. @throws {Error} if no payment has this code */
export async function openPixPage(sandboxUrl: string, code: string): Promise<PixPage> {
  const { url } = await fetched(`${sandboxUrl}/pay?${new URLSearchParams({ code }).toString()}`);
  const [, id] = /\/payments\/(\d+)$/.exec(url) ?? [];
  if (id === undefined) throw new Error('the sandbox has no payment with this code');
  return {
    url,
    async press(button, events = 'at once') {
      await fetched(url, { method: 'POST', body: new URLSearchParams({ action: button, events }) });
    },
    html: async () => (await fetched(url)).text(),
    async events() {
      const all = (await (await fetched(`${sandboxUrl}/events`)).json()) as SentNotification[];
      return all.filter(({ paymentId }) => String(paymentId) === id);
    },
  };
}
