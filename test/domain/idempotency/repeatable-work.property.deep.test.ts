/**
 * Operations without external effects: a key only ever belongs to a stored response, never to an unfinished request.
 */
import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { successBody } from '../../../shared/contracts/envelope.ts';
import { fingerprintOf, Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { runOnce, type Write } from '../../../shared/domain/idempotency/run-once.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

let now: number;
let accountId: string;

const host = await tableInTests();
beforeEach(() => {
  [now, accountId] = [testTime, testIds.next()];
});

const leaseMs = 30_000;

const contract = {
  operationId: 'createToyNote',
  success: { status: 201, data: z.object({ id: z.string(), text: z.string() }) },
} as const;

const failures = ['call rejects', 'call throws', 'commit throws', 'commit is rejected', 'commit is canceled'] as const;

interface Scenario {
  /** The text of the note; a different text makes a different request body. */
  readonly text: 'one' | 'other';
  readonly failure?: (typeof failures)[number];
  /** The write to the table at which the process crashes, before it or after it. */
  readonly dies?: { readonly write: number; readonly isWritten: boolean };
}

const noteItem = (id: string) => ({ pk: `TEST-NOTE-${accountId}`, sk: id });

const notes = () =>
  host.table.list(
    { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': noteItem('').pk } },
    { limit: 100, offset: 0 },
  );

/** A table whose process crashes at one of its writes, and then writes nothing more. */
function mortal({ dies }: Scenario): Table {
  let writes = 0;
  const step = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    writes += 1;
    if (dies && (writes > dies.write || (writes === dies.write && !dies.isWritten))) throw new Error('died');
    const result = await write();
    if (dies?.write === writes) throw new Error('died');
    return result;
  };
  return {
    ...host.table,
    put: (input) => step(() => host.table.put(input)),
    update: (input) => step(() => host.table.update(input)),
    transact: (actions) => step(() => host.table.transact(actions)),
  };
}

const taken = () => new Rejection('invalid', { message: 'text has changed in the meantime' });

const action = {
  Put: { Item: { pk: 'TEST', sk: 'never' }, ConditionExpression: 'attribute_exists(nothing)' },
} as const;

/** Writes whose condition is never met. */
const failing: Partial<Record<string, Write>> = {
  'commit is rejected': { action, rejection: taken },
  'commit is canceled': { action },
};

/** Stores a note together with the response. */
function save(scenario: Scenario) {
  const { text, failure } = scenario;
  const pause = async (milliseconds: number) => {
    now += milliseconds;
    await turn();
  };
  return runOnce(
    { table: mortal(scenario), clock: { now: () => now }, ids: testIds, pause },
    { accountId, contract, idempotency: { key: 'note-1', fingerprint: fingerprintOf({ text }, 'note-1') } },
    {
      isRepeatable: true,
      async call() {
        await turn();
        if (failure === 'call rejects') throw taken();
        if (failure === 'call throws') throw new Error('timed out');
        return testIds.next();
      },
      commit(id) {
        if (failure === 'commit throws') throw new Error('a bug');
        const failed = failing[failure ?? ''];
        const writes = [{ action: { Put: { Item: noteItem(id) } } }, ...(failed ? [failed] : [])];
        return { writes, data: { id, text } };
      },
    },
  );
}

const bodyOf = (outcome: Awaited<ReturnType<typeof save>>): string =>
  outcome instanceof Replay ? outcome.response.body : successBody(contract.success.data.parse(outcome));

const kindOf = (error: unknown): string => (error instanceof Rejection ? error.kind : 'failed');

describe('a request whose predecessor with the same key failed without a response', () => {
  const bodies = [
    ['the same', 'one'],
    ['another', 'other'],
  ] as const;

  test.for(failures.flatMap((failure) => bodies.map(([body, text]) => [body, failure, text] as const)))(
    'runs immediately, with %s body (failure: %s)',
    async ([, failure, text]) => {
      await expect(save({ text: 'one', failure })).rejects.toThrow();
      expect(await notes()).toEqual([]);
      expect(bodyOf(await save({ text }))).toContain(`"text":"${text}"`);
      expect(now).toBe(testTime);
    },
  );

  test.for([
    ['after it claimed the key', { write: 1, isWritten: true }],
    ['before its commit', { write: 2, isWritten: false }],
  ] as const)('may have another body once the lease of the predecessor has expired (crash %s)', async ([, dies]) => {
    await expect(save({ text: 'one', dies })).rejects.toThrow('died');
    await expect(save({ text: 'other' })).rejects.toMatchObject({ kind: 'in-progress' });
    now = testTime + leaseMs;
    expect(bodyOf(await save({ text: 'other' }))).toContain('"text":"other"');
  });

  test('gets the stored response if the predecessor crashed after its commit', async () => {
    await expect(save({ text: 'one', dies: { write: 2, isWritten: true } })).rejects.toThrow('died');
    expect(bodyOf(await save({ text: 'other' }))).toContain('"text":"one"');
  });
});

test('one idempotency key has one effect and one response, despite different bodies, failures, crashes and races', async () => {
  const dies = fc.record({ write: fc.integer({ min: 1, max: 3 }), isWritten: fc.boolean() });
  const scenario = fc.record(
    { text: fc.constantFrom('one', 'other'), failure: fc.constantFrom(...failures), dies },
    { requiredKeys: ['text'] },
  ) satisfies fc.Arbitrary<Scenario>;
  const waves = fc.array(fc.array(scenario, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(waves, async (requests) => {
      [now, accountId] = [testTime, testIds.next()];
      const responses: string[] = [];
      for (const wave of requests) {
        for (const outcome of await Promise.allSettled(wave.map(save))) {
          if (outcome.status === 'fulfilled') responses.push(bodyOf(outcome.value));
          else expect(kindOf(outcome.reason)).not.toBe('other-body');
        }
        now += leaseMs + 1;
      }
      for (const text of ['one', 'other'] as const) responses.push(bodyOf(await save({ text })));
      const [note, ...more] = await notes();
      expect(more).toEqual([]);
      expect(new Set(responses).size).toBe(1);
      expect(responses[0]).toContain(`"id":"${String(note?.sk)}"`);
    }),
    modelRuns(25),
  );
});
