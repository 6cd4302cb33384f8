/** Random faults of AWS calls, and the calls that failed at their last try. */
import type { Chance } from '../../support/chance.ts';
import type { AwsCall, FaultKind } from './aws-call.ts';

/** A call that failed at its last try. */
export interface Exhausted {
  readonly call: AwsCall;
  /** In terms of `performance.now()`. */
  readonly at: number;
}

export interface FaultDice {
  /** Begins with faults, or ends with them. */
  loaded(on: boolean): void;
  roll(call: AwsCall): FaultKind | undefined;
  /** Notes a call whose caller did not wait for the response, although it met no fault: the machine was busy. */
  abandoned(call: AwsCall): void;
  readonly struck: Readonly<Record<string, number>>;
  readonly exhausted: readonly Exhausted[];
}

/** Shares of all calls: about four of a hundred meet something. */
const shares: Readonly<Record<FaultKind, number>> = {
  refused: 0.01,
  lost: 0.01,
  silent: 0.0005,
  late: 0.01,
  conflict: 0.005,
  throttled: 0.006,
};

/** So many of the faults stay for every further try of the call, so that its patience is not enough. */
const stubbornShare = 0.02;

const writes = new Set(['TransactWriteItems', 'UpdateItem', 'PutItem']);

/** What the service tries again by itself, with a call of its own each time. */
const isCancellation = (kind: FaultKind, { operation }: AwsCall): boolean =>
  kind === 'conflict' || (kind === 'throttled' && operation === 'TransactWriteItems');

const isLastTry = ({ attempt, invocation, maxAttempts }: AwsCall): boolean =>
  invocation !== undefined && attempt >= maxAttempts;

export interface FaultDiceOptions {
  readonly chance: Chance;
  /** Whether the faults of a call may be more than its patience: otherwise its last try is spared. */
  readonly mayExhaust: (call: AwsCall) => boolean;
}

export function faultDice({ chance, mayExhaust }: FaultDiceOptions): FaultDice {
  const struck: Record<string, number> = {};
  const exhausted: Exhausted[] = [];
  const stubborn = new Map<string, FaultKind>();
  let isLoaded = false;

  function thrown(call: AwsCall): FaultKind | undefined {
    let left = chance.next();
    for (const [kind, share] of Object.entries(shares) as [FaultKind, number][]) {
      left -= share;
      if (left < 0) return kind === 'conflict' && !writes.has(call.operation) ? undefined : kind;
    }
    return undefined;
  }

  function kindFor(call: AwsCall): FaultKind | undefined {
    const kept = call.invocation && stubborn.get(call.invocation);
    if (kept) return kept;
    const isSpared = isLastTry(call) && !mayExhaust(call);
    const kind = isLoaded && !isSpared ? thrown(call) : undefined;
    const stays = kind && kind !== 'late' && kind !== 'silent' && !isCancellation(kind, call) && mayExhaust(call);
    if (stays && call.invocation && chance.strikes(stubbornShare)) stubborn.set(call.invocation, kind);
    return kind;
  }

  const noteExhausted = (call: AwsCall): void => {
    if (isLastTry(call)) exhausted.push({ call, at: performance.now() });
  };

  return {
    loaded(on) {
      isLoaded = on;
      if (!on) stubborn.clear();
    },
    roll(call) {
      const kind = kindFor(call);
      if (!kind) return undefined;
      struck[kind] = (struck[kind] ?? 0) + 1;
      if (isLastTry(call)) stubborn.delete(call.invocation ?? '');
      if (kind !== 'late' && !isCancellation(kind, call)) noteExhausted(call);
      return kind;
    },
    abandoned: noteExhausted,
    struck,
    exhausted,
  };
}
