/** What demos differ in: checks, steps and, for generations, requests. */

import type { CouponEntry } from '../../shared/catalog/coupons.ts';
import type { Promises } from './checks.ts';
import type { Demo } from './demo.ts';
import type { DemoRequest } from './order.ts';

/** Runs a step under a heading, with a time limit in seconds. */
export type Step = <Value>(
  title: string,
  seconds: number,
  work: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value>;

export interface Show {
  readonly title: string;
  /** Further things to see while the demo runs, with their URLs. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The coupons that the demo's service offers for subscriptions. */
  readonly coupons?: readonly CouponEntry[];
  readonly promises: Promises;
  /** The files that the demo saves, except the page. */
  readonly fileNames: readonly string[];
  readonly perform: (demo: Demo, step: Step) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What demos of generations differ in. */
export interface GenerationShow extends Pick<Show, 'title' | 'addresses' | 'fileNames' | 'close'> {
  readonly requests: readonly [DemoRequest, ...DemoRequest[]];
  /** The time limit of the demo's tasks. */
  readonly followingSeconds: number;
}
