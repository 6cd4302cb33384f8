/** What a demo asks the service to generate. */
import type { DemoRequest } from './order.ts';

/** Runs a step under a heading, with a time limit in seconds. */
export type Step = <Value>(
  title: string,
  seconds: number,
  work: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value>;

export interface Show {
  readonly title: string;
  readonly requests: readonly [DemoRequest, ...DemoRequest[]];
  /** The time limit of the demo's tasks. */
  readonly followingSeconds: number;
  /** Further things to see while the demo runs, with their URLs. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The files that the demo saves, except the page. */
  readonly fileNames: readonly string[];
  readonly close: () => Promise<void>;
}
