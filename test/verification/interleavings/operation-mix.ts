/** Which operations run concurrently on which tasks; those that can conflict are the most frequent. */
import * as fc from 'fast-check';
import {
  asking,
  canceling,
  creating,
  delivering,
  finalizing,
  granting,
  type Operation,
  order,
  redelivering,
  reporting,
  revoking,
  settling,
  sweeping,
  waiting,
} from './operations.ts';
import type { Order } from './scene.ts';
import type { Stage } from './stages.ts';

export interface OperationMix {
  readonly tasks: readonly { readonly stage: Stage; readonly order: Order }[];
  readonly operations: readonly Operation[];
  /** How many files have been uploaded. */
  readonly files?: number;
}

export const open: readonly Stage[] = [
  'unstarted',
  'started',
  'asking',
  'reported after the check',
  'reported before the check',
];
const over: readonly Stage[] = ['completed', 'canceled', 'webhook tried once', 'webhook given up', 'webhook delivered'];

const meeting = (
  stages: readonly Stage[],
  ...operations: readonly fc.Arbitrary<Operation>[]
): fc.Arbitrary<OperationMix> => {
  const task = fc.record({ stage: fc.constantFrom(...stages), order });
  return fc.record({
    tasks: fc.oneof({ weight: 3, arbitrary: fc.tuple(task) }, { weight: 1, arbitrary: fc.tuple(task, task) }),
    operations: fc.array(fc.oneof(...operations), { minLength: 2, maxLength: 4, size: 'max' }),
  });
};

const spending = meeting(
  [...open, ...over],
  creating,
  creating,
  creating,
  creating,
  creating,
  granting,
  canceling,
  revoking,
);

const ending = meeting(open, canceling, canceling, finalizing, finalizing, settling, sweeping, reporting, waiting);

const working = meeting(open, asking, asking, reporting, reporting, reporting, canceling, finalizing);

const notifying = meeting(over, delivering, delivering, delivering, redelivering, redelivering, sweeping, waiting);

const anything = meeting(
  [...open, ...over],
  creating,
  canceling,
  asking,
  reporting,
  finalizing,
  settling,
  sweeping,
  delivering,
  redelivering,
  granting,
  revoking,
  waiting,
);

export const operationMixes: fc.Arbitrary<OperationMix> = fc.oneof(
  { weight: 1, arbitrary: anything },
  { weight: 3, arbitrary: spending },
  { weight: 2, arbitrary: ending },
  { weight: 3, arbitrary: working },
  { weight: 2, arbitrary: notifying },
);
