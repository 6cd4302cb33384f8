/** What every step of the demo has at hand. */
import type { Client } from '../../client/client.ts';
import type { Checks } from './checks.ts';
import type { Screen } from './screen.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

export interface Demo {
  /** The API with the demo's token, its requests abandoned when the signal aborts. */
  readonly api: (signal: AbortSignal) => Client;
  readonly receiver: WebhookReceiver;
  readonly checks: Checks;
  readonly screen: Screen;
  /** An existing folder. */
  readonly outDir: string;
}
