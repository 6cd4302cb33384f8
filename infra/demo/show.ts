/** What a demo shows: its requests, its promises, and what is done with the results; the rest is the same for all. */
import type { Task } from '../../shared/contracts/tasks.ts';
import type { Promises } from './checks.ts';
import type { Demo } from './demo.ts';
import type { DemoRequest, Orders } from './order.ts';
import type { SavedFile } from './steps/save-results.ts';

/** Does what a heading announces, within so many seconds. */
export type Step = <Value>(
  title: string,
  seconds: number,
  work: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value>;

export interface Show {
  readonly title: string;
  /** What else there is to see while it runs: what it is, and its address. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly requests: readonly [DemoRequest, ...DemoRequest[]];
  readonly requestsTitle: string;
  readonly promises: Promises;
  /** The results that it saves. */
  readonly fileNames: readonly string[];
  /** How long its tasks may take: more than it takes to notice that an engine's callback was lost, and to ask instead. */
  readonly followingSeconds: number;
  /** The tasks are as GET task shows them, in the order of the requests. */
  readonly results: (demo: Demo, step: Step, orders: Orders, tasks: readonly Task[]) => Promise<readonly SavedFile[]>;
  readonly close: () => Promise<void>;
}
