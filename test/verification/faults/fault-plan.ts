/** The faults that a command of the model plans for AWS calls; the same seed gives the same faults. */

import type { FaultKind } from './aws-call.ts';

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
  'ListObjectsV2',
  'DeleteObjects',
] as const;

export interface Fault {
  readonly on: (typeof faultyOperations)[number] | 'any change';
  readonly kind: FaultKind;
  /** How many requests of the operation pass before the fault strikes, and how many it strikes. */
  readonly skip: number;
  readonly times: number;
}

const writes: readonly string[] = ['TransactWriteItems', 'UpdateItem', 'PutItem'] satisfies Fault['on'][];

const reads = /^(Get|BatchGet|TransactGet|Query|Scan|List|Head|Describe|Receive|GET$|HEAD$)/;

/** Whether a fault can happen to a request at all: only writes conflict. */
const concerns = ({ on, kind }: Fault, operation: string): boolean =>
  (on === operation || (on === 'any change' && !reads.test(operation))) &&
  (kind !== 'conflict' || writes.includes(operation));

/** A number of requests that no function reaches. */
const forever = 1000;

/**
 * A function dies right after one of its changes to AWS, without receiving the response; further changes never reach
 * AWS. Its reads still do, because they make no difference.
 */
export const death = (skip: number): readonly Fault[] => [
  { on: 'any change', kind: 'lost', skip, times: 1 },
  { on: 'any change', kind: 'refused', skip, times: forever },
];

/** How many failures in a row the service promises to handle without visible effects. */
function patience({ on, kind }: Fault): number {
  if (on === 'any change') return 0;
  if (kind === 'late') return Number.POSITIVE_INFINITY;
  if (kind === 'conflict' || (kind === 'throttled' && on === 'TransactWriteItems')) return 5;
  return on === 'StartExecution' || on === 'SendTaskSuccess' ? 1 : 2;
}

/** A request that is held until it is released. */
export interface Hold {
  /** Resolves when the request has arrived. */
  readonly reached: Promise<void>;
  release(): void;
}

export interface Faults {
  /** Replaces the plan, and forgets which faults have struck. */
  plan(faults: readonly Fault[]): void;
  /** Holds the next request of an operation, after skipping the given number of them. */
  hold(operation: string, skip: number): Hold;
  /** The fault for a request that has just arrived. */
  meet(operation: string): Promise<FaultKind | undefined>;
  /** Whether the faults that struck were more than the service handles by itself. */
  readonly disturbed: boolean;
  /** How often each kind of fault has struck each operation since the plan was set. */
  readonly struck: ReadonlyMap<string, number>;
}

interface Planned {
  readonly fault: Fault;
  toSkip: number;
  left: number;
}

const struckTimes = ({ fault, left }: Planned): number => fault.times - left;

/**
 * Several faults may strike the same operation: together they can exceed what the service handles, even if none of them
 * does alone.
 */
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
