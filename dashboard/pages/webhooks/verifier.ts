/** The verifier to paste, with the address of this service's keys. */
import { documentRoutes } from '../../../shared/contracts/documents.ts';
import source from './verify-webhook.mjs?raw';

export const verifierCode = (): string =>
  source.replace(
    'https://api.example.com/.well-known/webhook-keys.json',
    location.origin + documentRoutes.listWebhookKeys.path,
  );
