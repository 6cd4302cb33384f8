/** How a file that could not be measured is reported: as unusable, or as worth a retry. */
import { expect, test } from 'vitest';
import { inputLimits } from '../../../shared/contracts/media.ts';
import { problemOfFault } from '../../../shared/domain/media/probe-media.ts';
import { excessive, interrupted, slow } from '../../../shared/media-files/media-fault.ts';

const problemOf = ({ kind, message }: ReturnType<typeof slow>) =>
  problemOfFault({ fault: kind, reason: message }, inputLimits.video);

test.for([
  ['too slow', slow()],
  ['interrupted', interrupted()],
] as const)(
  'a media file whose measurement was %s is reported as unreachable because the service is busy, with the advice to try again',
  ([, fault]) => {
    const reason = expect.stringMatching(/: try again$/);
    expect(problemOf(fault)).toEqual({ problem: 'unreachable', reason, isBusy: true });
  },
);

test('a media file that is too complex to measure is unusable, and the reason says what to do', () => {
  expect(problemOf(excessive())).toEqual({
    problem: 'invalid',
    reason: 'is too complex to be measured: encode it again with a usual encoder',
  });
});
