/** The proxy between the service and AWS that lets some of the calls fail. */
import { type AwsService, awsCallOf, performUnder } from './aws-call.ts';
import { proxy } from './proxy.ts';
import type { FaultDice } from './random-faults.ts';

export type AwsTargets = Readonly<Record<AwsService, string>>;

export interface FaultyAws {
  readonly url: string;
  /** Sets the addresses of AWS; until then nothing responds. */
  leadTo(targets: AwsTargets): void;
  /** How many objects have been put into buckets. */
  readonly objects: number;
  /** How many calls have come. */
  readonly calls: number;
  /** Calls that failed without a fault. */
  readonly accidents: number;
  close(): Promise<void>;
}

/** Milliseconds: shorter and longer than other calls take, but within every time-out. */
const pause = { from: 20, upTo: 400 };

export async function faultyAws(dice: FaultDice, between: (from: number, to: number) => number): Promise<FaultyAws> {
  const objects = new Set<string>();
  let targets: AwsTargets | undefined;
  let [calls, accidents] = [0, 0];
  const lateMs = () => between(pause.from, pause.upTo);

  const { url, close } = await proxy(async ({ incoming, response, forward }) => {
    const call = awsCallOf(incoming);
    const target = targets?.[call.service];
    if (!target) throw new Error('nothing is behind the endpoint yet');
    calls += 1;
    const fault = dice.roll(call);
    response.once('close', () => {
      if (!fault && !response.writableFinished) dice.abandoned(call);
    });
    const perform = async () => {
      if (call.operation === 'PutObject') objects.add(incoming.url ?? '');
      return forward(target).catch((error: unknown) => {
        accidents += 1;
        throw error;
      });
    };
    return performUnder(fault, call, { lateMs, perform });
  });

  return {
    url,
    leadTo(next) {
      targets = next;
    },
    get objects() {
      return objects.size;
    },
    get calls() {
      return calls;
    },
    get accidents() {
      return accidents;
    },
    close,
  };
}
