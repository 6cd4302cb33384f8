/** Describes a webhook in lines of text: whether it is genuine, and if not, what to do. */
import type { WebhookRejection } from '../verify-webhook.ts';
import type { Delivery } from './delivery.ts';
import type { ListenerOptions } from './listener-options.ts';

type Trust = Pick<ListenerOptions, 'baseUrl' | 'webhookToken'>;

const reasons: Readonly<Record<WebhookRejection, (trust: Trust) => string>> = {
  'body is not text or bytes': () => 'The body could not be read.',
  'header missing or malformed': () =>
    'webhook-id, webhook-timestamp and webhook-signature must each be present once: a proxy on the way may drop them, or another program sent this.',
  'timestamp too old': () =>
    'It was signed more than 5 minutes ago: it may be a replay of an earlier webhook, or the clock of this machine is fast.',
  'timestamp too far ahead': () => 'It was signed more than 5 minutes in the future: check the clock of this machine.',
  'keys not available': ({ baseUrl }) => `The keys could not be read from ${baseUrl}: check --base-url (or API_URL).`,
  'no usable key': ({ baseUrl }) => `${baseUrl} published no Ed25519 key: check --base-url (or API_URL).`,
  'no matching signature': ({ baseUrl }) =>
    `The body was changed on the way, or a service other than ${baseUrl} signed it: check --base-url (or API_URL).`,
  'wrong webhook token': () =>
    'The signature is right, but X-Webhook-Token is not WEBHOOK_TOKEN: the task belongs to another API token.',
};

function judgment({ verdict }: Delivery, trust: Trust): string {
  if (!verdict.ok) return `NOT VERIFIED: ${verdict.reason}. ${reasons[verdict.reason](trust)}`;
  return trust.webhookToken === undefined
    ? 'verified: the signature (set WEBHOOK_TOKEN to verify the token too)'
    : 'verified: the signature and the webhook token';
}

/** Control characters are replaced, because a terminal would interpret them. */
const harmless = (text: string): string => text.replaceAll(/(?!\n)\p{C}/gu, '\uFFFD');

function shown(body: Buffer): string {
  const text = body.toString('utf8');
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

export function linesOf(delivery: Delivery, trust: Trust): string[] {
  const { number, headers, body, repeats } = delivery;
  const id = String(headers['webhook-id'] ?? '(no webhook-id)');
  const again = repeats === undefined ? '' : `, the same as #${repeats}: handle an id once`;
  return [`#${number} ${id}${again}`, judgment(delivery, trust), ...shown(body).split('\n')].map(harmless);
}
