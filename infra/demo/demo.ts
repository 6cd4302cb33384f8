/** The context of the demo's steps. */
import type { Client } from '../../client/client.ts';
import type { Checks } from './checks.ts';
import type { Screen } from './screen.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** Where results are saved, shown and checked. */
export interface DemoOutput {
  readonly checks: Checks;
  readonly screen: Screen;
  /** The folder for the results, which exists. */
  readonly outDir: string;
}

export interface Demo extends DemoOutput {
  /** A client with the demo's token, whose requests are aborted by the signal. */
  readonly api: (signal: AbortSignal) => Client;
  readonly receiver: WebhookReceiver;
}
