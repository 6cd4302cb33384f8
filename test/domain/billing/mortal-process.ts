/** A process of the service that may crash, and faults of its requests to a gateway. */
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { type GatewayOutcome, InjectedFault } from '../../support/gateway-outcome.ts';

/** The write at which a process crashes, and whether the write still takes effect. */
export interface Crash {
  readonly at: number;
  readonly after: boolean;
}

export interface Outcomes {
  readonly gateway: GatewayOutcome;
  readonly crash: Crash;
}

const never: Crash = { at: Number.POSITIVE_INFINITY, after: false };
export const well: Outcomes = { gateway: 'responds', crash: never };

/** A table to which a process writes until it crashes. */
export const mortal = (table: Table, { at, after }: Crash): Table => {
  let writes = 0;
  const write = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    writes += 1;
    if (writes === at && !after) throw new InjectedFault('the process died before a write');
    const result = await work();
    if (writes === at) throw new InjectedFault('the process died after a write');
    return result;
  };
  return {
    ...table,
    put: (input) => write(() => table.put(input)),
    update: (input) => write(() => table.update(input)),
    transact: (actions) => write(() => table.transact(actions)),
  };
};

/** Picks an element by any index, modulo the length of the list; undefined if the list is empty. */
export const pick = <Value>(values: readonly Value[], index: number): Value | undefined =>
  values[index % values.length];
