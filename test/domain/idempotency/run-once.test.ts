/** What a call learns of earlier calls with its key, and commits that are outdated by the time they are written. */
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { fingerprintOf, Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { type Attempt, runOnce, type Work, type Write } from '../../../shared/domain/idempotency/run-once.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

let now: number;
let accountId: string;

const host = await tableInTests();
beforeEach(() => {
  [now, accountId] = [testTime, testIds.next()];
});

const withAndWithoutKey = [
  ['with', 'note-1'],
  ['without', null],
] as const;

/** How long a request holds its key before it is considered dead. */
const leaseMs = 30_000;

const contract = {
  operationId: 'createToyNote',
  success: { status: 201, data: z.object({ text: z.string() }) },
} as const;

type NoteWork = Work<string, { text: string }>;

const pause = async (milliseconds: number): Promise<void> => {
  now += milliseconds;
};

const run = (work: Partial<NoteWork>, key: string | null = 'note-1') =>
  runOnce(
    { table: host.table, clock: { now: () => now }, ids: testIds, pause },
    {
      accountId,
      contract,
      idempotency: key === null ? undefined : { key, fingerprint: fingerprintOf({ text: 'a note' }, key) },
    },
    {
      isRepeatable: false,
      call: async () => 'a note',
      commit: (text: string) => ({ writes: [], data: { text } }),
      ...work,
    },
  );

/** A request whose outcome at the external party is unknown. */
const lost = (before: (attempt: Attempt) => unknown = () => undefined) =>
  expect(
    run({
      async call(_outsideKey, attempt) {
        await before(attempt);
        throw new Error('timed out');
      },
    }),
  ).rejects.toThrow('timed out');

test('a repeat of a request in progress waits five seconds and is then told to retry after one second', async () => {
  const call = async () => {
    await expect(run({})).rejects.toMatchObject({ kind: 'in-progress', details: { retryAfterSeconds: 1 } });
    return 'a note';
  };
  expect(await run({ call })).toEqual({ text: 'a note' });
  expect(now - testTime).toBeGreaterThanOrEqual(5000);
});

describe('a call to an outside service', () => {
  test('counts as the first attempt when there is no idempotency key, and may record that it was made', async () => {
    const seen: Attempt[] = [];
    const call: NoteWork['call'] = async (_outsideKey, attempt) => {
      await attempt.recordCall();
      seen.push(attempt);
      return 'a note';
    };
    expect(await run({ call }, null)).toEqual({ text: 'a note' });
    expect(seen).toMatchObject([{ isInherited: false, calledAt: testTime }]);
  });

  test('receives the time of the last recorded call or, without one, of the claim of the idempotency key', async () => {
    const seen: Pick<Attempt, 'isInherited' | 'calledAt'>[] = [];
    const see = (attempt: Attempt) => seen.push(attempt);
    await lost(see);
    now += 1000;
    await lost(see);
    now += 1000;
    await lost((attempt) => attempt.recordCall());
    now += 1000;
    await lost(see);
    expect(seen).toMatchObject([
      { isInherited: false, calledAt: testTime },
      { isInherited: true, calledAt: testTime },
      { isInherited: true, calledAt: testTime + 2000 },
    ]);
  });

  test('is not made once another request has taken over the idempotency key', async () => {
    const others = [() => lost()];
    const late = run({
      async call(_outsideKey, attempt) {
        now += leaseMs;
        for (const other of others.splice(0)) await other();
        await attempt.recordCall();
        return 'a note';
      },
    });
    await expect(late).rejects.toMatchObject({ kind: 'in-progress', details: { retryAfterSeconds: 1 } });
  });
});

describe('a commit that may be based on stale data', () => {
  const changed = () => new Rejection('invalid', { message: 'The note has changed.' });
  const failing = {
    Put: { Item: { pk: 'TEST', sk: 'never' }, ConditionExpression: 'attribute_exists(nothing)' },
  } as const;
  const note = (): Write => ({ action: { Put: { Item: { pk: `TEST-NOTE-${accountId}`, sk: 'note' } } } });

  /** Each round commits further writes, which the response counts. */
  function commitOf(writesOf: (round: number) => readonly Write[]) {
    const commit = {
      rounds: 0,
      commit() {
        commit.rounds += 1;
        if (commit.rounds > 100) throw new Error('it never ends');
        return { writes: writesOf(commit.rounds), data: { text: `round ${commit.rounds}` } };
      },
    };
    return commit;
  }

  test.for(withAndWithoutKey)('is retried until it can be written, %s an idempotency key', async ([, key]) => {
    const commit = commitOf((round) => [
      note(),
      ...(round < 3 ? [{ action: failing, mayBeStale: true } as const] : []),
    ]);
    expect(await run(commit, key)).toEqual({ text: 'round 3' });
  });

  test('stores the response of the attempt that was written', async () => {
    await run(commitOf((round) => (round < 3 ? [{ action: failing, mayBeStale: true }] : [note()])));
    const repeat = await run({});
    expect(repeat).toBeInstanceOf(Replay);
    expect(repeat).toMatchObject({ response: { body: expect.stringContaining('"round 3"') } });
  });

  test('is not retried when one of its writes can never succeed', async () => {
    const commit = commitOf(() => [
      { action: failing, mayBeStale: true },
      { action: { Put: { ...failing.Put, Item: { pk: 'TEST', sk: 'neither' } } }, rejection: changed },
    ]);
    await expect(run(commit)).rejects.toEqual(changed());
    expect(commit.rounds).toBe(1);
  });

  test('is rejected with its own reason after fifty stale attempts', async () => {
    const commit = commitOf(() => [{ action: failing, mayBeStale: true, rejection: changed }]);
    await expect(run(commit)).rejects.toEqual(changed());
    expect(commit.rounds).toBe(50);
  });
});

describe('an outside call whose commit fails', () => {
  const refused = () => new Rejection('too-many-orders');
  const refusing: Write[] = [
    {
      action: {
        Update: {
          Key: { pk: 'TEST', sk: 'none' },
          UpdateExpression: 'SET a = :a',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':a': 1 },
        },
      },
      rejection: refused,
    },
  ];
  const commit: NoteWork['commit'] = (text) => ({ writes: refusing, data: { text } });

  test.for(withAndWithoutKey)(
    'is undone after its key is free if nothing was written (%s an idempotency key)',
    async ([, key]) => {
      const keys: string[] = [];
      const call: NoteWork['call'] = async (outsideKey) => {
        keys.push(outsideKey);
        return outsideKey;
      };
      const withdraw = async (outside: string) => {
        expect(outside).toBe(keys[0]);
        expect(await run({ call }, key)).toEqual({ text: keys[1] });
      };
      await expect(run({ call, commit, withdraw }, key)).rejects.toEqual(refused());
      expect(new Set(keys).size).toBe(2);
    },
  );

  test.for(withAndWithoutKey)(
    'is not undone if the commit may have been written (%s an idempotency key)',
    async ([, key]) => {
      const withdrawn: string[] = [];
      const withdraw = async (outside: string) => void withdrawn.push(outside);
      const failing: NoteWork['commit'] = () => {
        throw new Error('timed out');
      };
      await expect(run({ commit: failing, withdraw }, key)).rejects.toThrow('timed out');
      expect(withdrawn).toEqual([]);
    },
  );

  test('is not undone if another request has taken over its idempotency key', async () => {
    const withdrawn: string[] = [];
    const withdraw = async (outside: string) => void withdrawn.push(outside);
    const late: NoteWork['commit'] = async () => {
      now += leaseMs;
      await lost();
      throw refused();
    };
    await expect(run({ commit: late, withdraw })).rejects.toEqual(refused());
    expect(withdrawn).toEqual([]);
  });
});
