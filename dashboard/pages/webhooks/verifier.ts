/** The code that verifies webhooks, ready to copy, with the URL of this service's keys. */
import source from './verify-webhook.mjs?raw';

export const verifierCode = (keysUrl: string): string =>
  source.replace('https://api.example.com/.well-known/webhook-keys.json', keysUrl);
