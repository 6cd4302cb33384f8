/** Circuits, whatever happens to their tasks and whoever looks: against a model of them, on the real table. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  failuresThatOpen,
  pauseAfter,
  probeMs,
  stateOf,
  verdictOf,
} from '../../../shared/domain/generation/circuit.ts';
import { type CircuitStore, circuitStore, claimProbe } from '../../../shared/domain/generation/circuit-store.ts';
import { TransactionRefused } from '../../../shared/platform/dynamo-table.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { type TestTable, testIds, testTable } from '../../support/test-table.ts';

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

/** Longer than anybody goes by what was read a moment ago. */
const freshMs = 5_000;

const subject = () => {
  const clock = steppedClock();
  return { clock, store: circuitStore(host.table, clock), name: `offline/${testIds.next()}` };
};

async function claim(name: string, taskId: string, now: number): Promise<boolean> {
  try {
    await host.table.transact([claimProbe(name, taskId, now)]);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefused) return false;
    throw error;
  }
}

const stateNow = async (store: CircuitStore, name: string, now: number) => stateOf((await store.read()).get(name), now);

const open = async (store: CircuitStore, name: string) => {
  for (let failures = 0; failures < failuresThatOpen; failures += 1) await store.noteFailure(name, testIds.next());
};

type Deed = 'fails' | 'works' | 'waits' | 'the probe fails' | 'the probe says nothing';

/** What a circuit is, told by words. */
interface Model {
  failures: number;
  openUntil: number;
  probe: { readonly taskId: string; readonly until: number } | undefined;
}

const expectedState = ({ failures, openUntil, probe }: Model, now: number) => {
  if (failures < failuresThatOpen) return 'closed';
  return now < Math.max(openUntil, probe?.until ?? 0) ? 'open' : 'probing';
};

async function play(deed: Deed, ms: number, { clock, store, name }: ReturnType<typeof subject>, model: Model) {
  if (deed === 'waits') clock.advance(ms);
  if (deed === 'works') {
    await store.noteSuccess(name);
    Object.assign(model, { failures: 0, openUntil: 0, probe: undefined });
  }
  if (deed === 'fails') {
    // A task that was made before: while the circuit is open it changes nothing.
    const opened = await store.noteFailure(name, testIds.next());
    expect(opened).toBe(model.failures === failuresThatOpen - 1);
    if (model.failures < failuresThatOpen) model.failures += 1;
    if (opened) model.openUntil = clock.now() + pauseAfter(failuresThatOpen);
  }
  if (deed === 'the probe fails' && model.probe) {
    expect(await store.noteFailure(name, model.probe.taskId)).toBe(false);
    model.failures += 1;
    Object.assign(model, { openUntil: clock.now() + pauseAfter(model.failures), probe: undefined });
  }
  if (deed === 'the probe says nothing' && model.probe) {
    await store.giveBack(name, model.probe.taskId);
    model.probe = undefined;
  }
}

test('lets everybody through until five in a row have failed, then nobody, then one at a time until one works', async () => {
  const deeds = fc.array(
    fc.record({
      deed: fc.constantFrom<Deed>(
        'fails',
        'fails',
        'fails',
        'works',
        'waits',
        'the probe fails',
        'the probe says nothing',
      ),
      ms: fc.integer({ min: 1, max: 400_000 }),
    }),
    { minLength: 1, maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(deeds, async (sequence) => {
      const world = subject();
      const { clock, store, name } = world;
      const model: Model = { failures: 0, openUntil: 0, probe: undefined };
      for (const { deed, ms } of sequence) {
        await play(deed, ms, world, model);
        clock.advance(freshMs);
        const expected = expectedState(model, clock.now());
        expect(await stateNow(store, name, clock.now())).toBe(expected);
        const ids = [1, 2, 3, 4].map(() => testIds.next());
        const claims = await Promise.all(ids.map((taskId) => claim(name, taskId, clock.now())));
        expect(claims.filter(Boolean)).toHaveLength(expected === 'probing' ? 1 : 0);
        const winner = ids[claims.indexOf(true)];
        if (winner) model.probe = { taskId: winner, until: clock.now() + probeMs };
      }
    }),
    { numRuns: 40 },
  );
});

describe('failures', () => {
  test('that are noted at once open it once, and all further ones change nothing', async () => {
    const { clock, name } = subject();
    // Each function has a store of its own.
    const notes = await Promise.all(
      Array.from({ length: 3 * failuresThatOpen }, () =>
        circuitStore(host.table, clock).noteFailure(name, testIds.next()),
      ),
    );
    expect(notes.filter(Boolean)).toHaveLength(1);
    const circuit = (await circuitStore(host.table, clock).read()).get(name);
    expect(circuit?.failures).toBe(failuresThatOpen);
    expect(circuit?.openUntil).toBeLessThanOrEqual(clock.now() + pauseAfter(failuresThatOpen));
  });

  test('with a success in between are not in a row, however quickly they come', async () => {
    const { store, name } = subject();
    for (let count = 0; count < 2 * failuresThatOpen; count += 1) {
      expect(await store.noteFailure(name, testIds.next())).toBe(false);
      await store.noteSuccess(name);
    }
  });
});

test('a probe that says nothing is given back by its own task alone', async () => {
  const { clock, store, name } = subject();
  await open(store, name);
  clock.advance(pauseAfter(failuresThatOpen));
  const [one, other] = [testIds.next(), testIds.next()];
  expect(await claim(name, one, clock.now())).toBe(true);
  await store.giveBack(name, other);
  expect(await claim(name, other, clock.now())).toBe(false);
  await store.giveBack(name, one);
  expect(await claim(name, other, clock.now())).toBe(true);
});

test('the pause doubles with each further failure, from half a minute to five minutes', () => {
  expect([5, 6, 7, 8, 9, 50].map(pauseAfter)).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
});

test.for([
  [undefined, true, 'works'],
  ['CONTENT_REJECTED', true, 'works'],
  ['INPUT_INVALID', true, 'works'],
  ['DOWNLOAD_FAILED', true, 'works'],
  ['INPUT_INVALID', false, 'nothing'],
  ['DOWNLOAD_FAILED', false, 'nothing'],
  ['INTERNAL_ERROR', true, 'nothing'],
  ['CANCELED', true, 'nothing'],
  ['PROVIDER_ERROR', true, 'fails'],
  ['PROVIDER_TIMEOUT', true, 'fails'],
] as const)('an end by %s of a task whose engine was asked (%s) says: %s', ([code, wasAsked, verdict]) => {
  expect(verdictOf(code, wasAsked)).toBe(verdict);
});
