/**
 * The proxy between a soaked service and AWS: about four in a hundred calls fail, all of them with errors that a retry
 * can fix.
 */
import type { Numbers } from '../../support/seeded-numbers.ts';
import { type AwsService, awsCallOf, type FaultKind, performUnder } from '../faults/aws-call.ts';
import { proxy } from '../faults/proxy.ts';

export type FaultyAws = Awaited<ReturnType<typeof faultyAws>>;

/** The number of faults of each kind in two thousand calls. */
const shares = { refused: 20, lost: 20, late: 20, throttled: 12, conflict: 10, silent: 1 } as const satisfies Record<
  FaultKind,
  number
>;

const writes = ['TransactWriteItems', 'UpdateItem', 'PutItem'];

function rolled(numbers: Numbers, operation: string): FaultKind | undefined {
  let left = numbers(2000);
  for (const [kind, share] of Object.entries(shares) as [FaultKind, number][]) {
    left -= share;
    if (left < 0) return kind === 'conflict' && !writes.includes(operation) ? undefined : kind;
  }
  return undefined;
}

export async function faultyAws(numbers: Numbers, targets: Readonly<Record<AwsService, string>>) {
  const struck: Record<string, number> = {};
  const objects = new Set<string>();
  let isFailing = false;
  let abandoned = 0;
  const { url, close } = await proxy(async ({ incoming, response, forward }) => {
    const call = awsCallOf(incoming);
    const isLast = call.attempt >= call.maxAttempts;
    const fault = isFailing && !isLast ? rolled(numbers, call.operation) : undefined;
    if (fault) struck[fault] = (struck[fault] ?? 0) + 1;
    response.once('close', () => {
      if (isLast && !response.writableFinished) abandoned += 1;
    });
    const perform = () => {
      if (call.operation === 'PutObject') objects.add(incoming.url ?? '');
      return forward(targets[call.service]);
    };
    return performUnder(fault, call, { lateMs: () => 20 + numbers(380), perform });
  });
  return {
    url,
    close,
    /** How often each kind of fault has struck. */
    struck,
    /** Switches faults on or off. */
    fail(on: boolean) {
      isFailing = on;
    },
    /** The number of objects that were stored in buckets. */
    objects: () => objects.size,
    /**
     * The number of last attempts whose caller did not wait for the response, although there was no fault: the machine
     * was busy.
     */
    abandoned: () => abandoned,
  };
}
