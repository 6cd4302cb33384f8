/** Operates the pages of the sandbox for subscriptions. */
import type { EventDelivery } from '../../fakes/event-sender.ts';
import type { SubscriptionAction } from '../../fakes/stripe/subscription-actions.ts';
import type { testCards } from '../../fakes/stripe/test-cards.ts';

type CardNumber = (typeof testCards)[number]['number'];

export interface SubscriptionPage {
  readonly url: string;
  /** Presses a button; `events` is how the resulting event is delivered. */
  press(button: SubscriptionAction, events?: EventDelivery): Promise<void>;
}

export interface CheckoutPage {
  readonly url: string;
  /** The current page. */
  html(): Promise<string>;
  /** The next page; undefined if the card is declined. */
  pay(card?: CardNumber, events?: EventDelivery): Promise<SubscriptionPage | undefined>;
}

async function fetched(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
  const response = await fetch(url, form && { method: 'POST', body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${await response.text()}`);
  return response;
}

const subscriptionPage = (url: string): SubscriptionPage => ({
  url,
  async press(button, events = 'at once') {
    await fetched(url, { action: button, events });
  },
});

/** The page at the `checkoutUrl` of an order. */
export const checkoutPage = (url: string): CheckoutPage => ({
  url,
  html: async () => (await fetched(url)).text(),
  async pay(card = '4242424242424242', events = 'at once') {
    const response = await fetched(url, { action: 'pay', card, events });
    const [, path] = /href="(\/subscriptions\/\w+)"/.exec(await response.text()) ?? [];
    return path === undefined ? undefined : subscriptionPage(new URL(path, url).href);
  },
});
