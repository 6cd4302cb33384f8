/** How a file that could not be measured is reported: as unusable, or as worth a retry. */
import { expect, test } from 'vitest';
import { inputLimits } from '../../../shared/contracts/media.ts';
import { problemOfFault } from '../../../shared/domain/media/probe-media.ts';
import { excessive, interrupted, slow } from '../../../shared/media-files/media-fault.ts';

const problemOf = ({ kind, message }: ReturnType<typeof slow>) =>
  problemOfFault({ fault: kind, reason: message }, inputLimits.video);

test.each([slow(), interrupted()])('a file that the machine did not measure may be tried again: $message', (fault) => {
  expect(problemOf(fault)).toEqual({ problem: 'unreachable', reason: expect.stringMatching(/: try again$/) });
});

test('a file that takes too much work is unusable, and its owner reads what to do', () => {
  expect(problemOf(excessive())).toEqual({
    problem: 'contradictory',
    reason: 'is too complex to be measured: encode it again with a usual encoder',
  });
});
