/** A request of the demo, and the service's response to it. */
import type { Client } from '../../client/client.ts';
import type { PageFile } from './results-page.ts';

type Acceptance = Awaited<ReturnType<Client['generateVoice']>>;

export interface DemoRequest {
  /** On the screen. */
  readonly name: string;
  /** What is asked for, in a line. */
  readonly summary: string;
  readonly idempotencyKey: string;
  /** The files that it is about. */
  readonly inputs: () => Promise<readonly PageFile[]>;
  /** What the results are saved as, in their order. */
  readonly fileNames: readonly string[];
  readonly send: (
    api: Client,
    common: { readonly idempotencyKey: string; readonly callbackUrl: string },
  ) => Promise<Acceptance>;
}

/** A request that the service has taken on. */
export interface Order {
  readonly request: DemoRequest;
  readonly status: number;
  readonly answer: Acceptance['data'];
}

/** One at least. */
export type Orders = readonly [Order, ...Order[]];

/** Makes names of equal width. */
export const widthOf = (named: readonly { readonly name: string }[]): number =>
  Math.max(...named.map(({ name }) => name.length));
