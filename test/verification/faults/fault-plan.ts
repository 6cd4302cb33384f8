/** Faults of AWS calls that a command plans, so that its seed repeats them. */

import type { FaultKind as AnyFaultKind } from './aws-call.ts';

/** A clock that stands still would never end the wait for a silent response. */
export type FaultKind = Exclude<AnyFaultKind, 'silent'>;

export const faultyOperations = [
  'TransactWriteItems',
  'UpdateItem',
  'PutItem',
  'GetItem',
  'Query',
  'StartExecution',
  'SendTaskSuccess',
  'SendMessage',
  'PutObject',
] as const;

export interface Fault {
  readonly on: (typeof faultyOperations)[number];
  readonly kind: FaultKind;
  /** So many requests of the operation pass before it strikes, and so many it strikes. */
  readonly skip: number;
  readonly times: number;
}

const writes: readonly string[] = ['TransactWriteItems', 'UpdateItem', 'PutItem'] satisfies Fault['on'][];

/** Whether such a thing happens to such a request at all: only writes conflict. */
const concerns = ({ on, kind }: Fault, operation: string): boolean =>
  on === operation && (kind !== 'conflict' || writes.includes(operation));

/** How many failures in a row the service promises to get over without anybody noticing. */
function patience({ on, kind }: Fault): number {
  if (kind === 'late') return Number.POSITIVE_INFINITY;
  if (kind === 'conflict' || (kind === 'throttled' && on === 'TransactWriteItems')) return 5;
  return on === 'StartExecution' || on === 'SendTaskSuccess' ? 1 : 2;
}

/** A request that stands still until it is released. */
export interface Hold {
  /** Resolves when the request has come. */
  readonly reached: Promise<void>;
  release(): void;
}

export interface Faults {
  /** Replaces what was planned, and forgets what struck. */
  plan(faults: readonly Fault[]): void;
  /** Stops the next request of an operation, after so many. */
  hold(operation: string, skip: number): Hold;
  /** What happens to a request that has just come. */
  meet(operation: string): Promise<FaultKind | undefined>;
  /** Whether what struck was more than the service gets over by itself. */
  readonly disturbed: boolean;
  /** How often each kind struck each operation since the plan. */
  readonly struck: ReadonlyMap<string, number>;
}

interface Planned {
  readonly fault: Fault;
  toSkip: number;
  left: number;
}

const struckTimes = ({ fault, left }: Planned): number => fault.times - left;

/** Faults that strike one operation together are more than each alone. */
const isDisturbed = (planned: readonly Planned[]): boolean =>
  planned.some((one) => {
    const others = planned.filter(({ fault }) => fault.on === one.fault.on && fault.kind !== 'late');
    return struckTimes(one) > 0 && others.reduce((sum, other) => sum + struckTimes(other), 0) > patience(one.fault);
  });

export function faultPlan(): Faults {
  let planned: Planned[] = [];
  let held: { readonly operation: string; toSkip: number; reach(): void; readonly released: Promise<void> } | undefined;

  async function standStill(operation: string): Promise<void> {
    if (held?.operation !== operation) return;
    if (held.toSkip > 0) {
      held.toSkip -= 1;
      return;
    }
    const standing = held;
    held = undefined;
    standing.reach();
    await standing.released;
  }

  function strike(operation: string): FaultKind | undefined {
    for (const one of planned) {
      if (one.left === 0 || !concerns(one.fault, operation)) continue;
      if (one.toSkip > 0) one.toSkip -= 1;
      else {
        one.left -= 1;
        return one.fault.kind;
      }
    }
    return undefined;
  }

  return {
    plan(faults) {
      planned = faults.map((fault) => ({ fault, toSkip: fault.skip, left: fault.times }));
    },
    hold(operation, skip) {
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held = { operation, toSkip: skip, reach: reached.resolve, released: released.promise };
      return {
        reached: reached.promise,
        release() {
          held = undefined;
          released.resolve();
        },
      };
    },
    async meet(operation) {
      const kind = strike(operation);
      await standStill(operation);
      return kind;
    },
    get disturbed() {
      return isDisturbed(planned);
    },
    get struck() {
      const kinds = Map.groupBy(planned, ({ fault }) => `${fault.on} ${fault.kind}`);
      const count = (some: readonly Planned[]) => some.reduce((sum, one) => sum + struckTimes(one), 0);
      return new Map([...kinds].map(([kind, some]) => [kind, count(some)]));
    },
  };
}
