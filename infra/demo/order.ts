/** A request of the demo, and the service's response to it. */
import type { Client } from '../../client/client.ts';
import type { PageFile } from './results-page.ts';

type Acceptance = Awaited<ReturnType<Client['generateVoice']>>;

/** The expected video; the duration is absent if the task states it. */
export interface ExpectedVideo {
  readonly width: number;
  readonly height: number;
  readonly durationSec?: number;
  readonly hasAudio: boolean;
}

export interface DemoRequest {
  /** The name to display. */
  readonly name: string;
  /** The request on one line. */
  readonly summary: string;
  readonly idempotencyKey: string;
  /** The input files. */
  readonly inputs: () => Promise<readonly PageFile[]>;
  /** The file names of the results, in their order. */
  readonly fileNames: readonly string[];
  readonly expected: ExpectedVideo | undefined;
  readonly send: (
    api: Client,
    common: { readonly idempotencyKey: string; readonly callbackUrl: string },
  ) => Promise<Acceptance>;
}

/** A request that the service has accepted. */
export interface Order {
  readonly request: DemoRequest;
  readonly status: number;
  readonly accepted: Acceptance['data'];
}

/** At least one order. */
export type Orders = readonly [Order, ...Order[]];

/** Pads names to equal width. */
export const widthOf = (named: readonly { readonly name: string }[]): number =>
  Math.max(...named.map(({ name }) => name.length));
