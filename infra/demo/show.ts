/** The parts in which demos differ: checks, steps and, of generations, the requests and the processing of results. */

import type { Task } from '../../client/client.ts';
import type { CouponEntry } from '../../shared/catalog/coupons.ts';
import type { GenerationPromises, Promises } from './checks.ts';
import type { Demo, DemoOutput } from './demo.ts';
import type { DemoRequest, Orders } from './order.ts';
import type { SavedFile } from './steps/save-results.ts';

/** Runs a step under a heading, with a time limit in seconds. */
export type Step = <Value>(
  title: string,
  seconds: number,
  work: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value>;

export interface Show {
  readonly title: string;
  /** Further things to see while it runs, with their URLs. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Those that its service offers for subscriptions. */
  readonly coupons?: readonly CouponEntry[];
  readonly promises: Promises;
  /** The files that it saves, except the page. */
  readonly fileNames: readonly string[];
  readonly perform: (demo: Demo, step: Step) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The parts in which demos of generations differ. */
export interface GenerationShow extends Omit<Show, 'perform'> {
  readonly requests: readonly [DemoRequest, ...DemoRequest[]];
  readonly requestsTitle: string;
  readonly promises: GenerationPromises;
  /** How long its tasks may take: longer than the service needs to detect a lost callback and poll instead. */
  readonly followingSeconds: number;
  /** The tasks as returned by GET task, in the order of the requests. */
  readonly results: (
    output: DemoOutput,
    step: Step,
    orders: Orders,
    tasks: readonly Task[],
  ) => Promise<readonly SavedFile[]>;
}
