/** Which operations on files, the Studio's resources and videos run concurrently. */
import * as fc from 'fast-check';
import { type OperationMix, open } from './operation-mix.ts';
import { asking, canceling, finalizing, type Operation, reporting, settling, sweeping, waiting } from './operations.ts';
import type { Order } from './scene.ts';
import {
  describing,
  expiring,
  portraying,
  repeatingAvatar,
  repeatingProduct,
  uploadingAgain,
} from './studio-operations.ts';

const some = (...operations: readonly fc.Arbitrary<Operation>[]): fc.Arbitrary<Operation[]> =>
  fc.array(fc.oneof(...operations), { minLength: 2, maxLength: 4, size: 'max' });

const creating = (...operations: readonly fc.Arbitrary<Operation>[]): fc.Arbitrary<OperationMix> =>
  fc.record({ tasks: fc.constant([]), files: fc.constant(2), operations: some(...operations) });

const sharing = creating(describing, describing, portraying, uploadingAgain, expiring);
const portrayingAtOnce = creating(portraying, portraying, portraying, describing);
const repeating = creating(repeatingProduct, repeatingProduct, repeatingAvatar, waiting);

const video: Order = { cost: 16, webhook: false, taskType: 'video-creative' };

/** A video that its engine accepts, while others end it. */
const filming: fc.Arbitrary<OperationMix> = fc.record({
  tasks: fc.constantFrom(...open).map((stage) => [{ stage, order: video }]),
  operations: some(asking, asking, reporting, reporting, canceling, finalizing, settling, sweeping, waiting),
});

export const studioMixes = { sharing, portrayingAtOnce, repeating, filming } as const;

export const anyStudioMix: fc.Arbitrary<OperationMix> = fc.oneof(sharing, portrayingAtOnce, repeating, {
  weight: 2,
  arbitrary: filming,
});
