/** The faults that commands are planned with. */
import * as fc from 'fast-check';
import type { FaultKind } from '../faults/aws-call.ts';
import { type Fault, faultyOperations } from '../faults/fault-plan.ts';
import type { Command } from './command.ts';

// Slow faults are rare, because waiting for them is what makes a run slow.
const kindOf = (...quick: readonly FaultKind[]): fc.Arbitrary<FaultKind> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...quick) },
    { weight: 1, arbitrary: fc.constantFrom('throttled', 'late') },
  );

const times = fc.constantFrom(1, 2, 3, 3, 6);

const anywhere: fc.Arbitrary<Fault> = fc.record({
  on: fc.constantFrom(...faultyOperations, 'TransactWriteItems', 'UpdateItem'),
  kind: kindOf('lost', 'refused', 'conflict'),
  skip: fc.constantFrom(0, 0, 0, 1, 2),
  times,
});

/** A result is copied by one request, and the fault must strike that one. */
const whileCopying: fc.Arbitrary<Fault> = fc.record({
  on: fc.constant('PutObject'),
  kind: kindOf('lost', 'refused'),
  skip: fc.constant(0),
  times,
});

export type Plan = (fault: fc.Arbitrary<Fault>) => fc.Arbitrary<readonly Fault[]>;

export const noFaults: Plan = () => fc.constant([]);
export const someFaults: Plan = (fault) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }) },
  );

/** Faults while a file is copied, or in any other request. */
export const copying = fc.oneof(whileCopying, anywhere);

/** A command with arbitrary arguments, under planned faults. */
export const actingUnder =
  (plan: Plan) =>
  <Args>(args: fc.Arbitrary<Args>, make: (args: Args, faults: readonly Fault[]) => Command, fault = anywhere) =>
    fc.tuple(args, plan(fault)).map(([some, planned]) => make(some, planned));
