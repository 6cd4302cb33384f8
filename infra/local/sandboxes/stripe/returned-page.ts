/** Where browsers arrive after a checkout, in place of a page of the merchant's. */
import { badge, escaped, hostedPage, rows } from '../hosted-page.ts';

export const returnedPath = '/returned';

const outcomes: Readonly<Record<string, string>> = {
  completed: badge('checkout completed', 'good'),
  canceled: badge('left without paying', 'wait'),
};

/** The address says nothing of the payment that could be believed: the merchant asks the API. */
export function returnedPage(query: URLSearchParams): string {
  const orderId = query.get('orderId') ?? '';
  return hostedPage({
    title: 'Back at the merchant',
    standIn: 'the merchant’s site, to which browsers return after the checkout',
    home: 'All subscriptions',
    content: `<section><h1>Back at the merchant</h1>
<p>${outcomes[query.get('checkout') ?? ''] ?? badge('unknown', 'plain')}</p>
<dl>${rows([['Order', escaped(orderId)]])}</dl></section>
<section><h2>What the API says</h2>
<p>Whoever is here may have made up the address, so a merchant reads the order:</p>
<textarea readonly rows="3" aria-label="Command">curl -s $API/orders/${escaped(orderId)} -H "Authorization: Bearer $TOKEN"</textarea></section>`,
  });
}
