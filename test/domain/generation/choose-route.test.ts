/** Which route a new task takes. */
import { describe, expect, test } from 'vitest';
import { chooseRoute } from '../../../shared/domain/generation/choose-route.ts';
import { type Circuit, failuresThatOpen, unusedCircuit } from '../../../shared/domain/generation/circuit.ts';
import type { EngineRoute } from '../../../shared/engines/route.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';

const now = 1_000_000;
const until = now + 12_500;
const openFor = (accountId: string): Circuit => ({
  ...unusedCircuit,
  accounts: { [accountId]: { failures: failuresThatOpen, usedAt: now, openUntil: until } },
});
const open = openFor('caller');

const first: EngineRoute = { id: 'fal/a', engine: 'fal' };
const second: EngineRoute = { id: 'fal/b', engine: 'fal' };
const offline: EngineRoute = { id: 'offline/image', engine: 'offline' };

/** Chooses for the account `caller`, given the circuits of the routes. */
const choosing = (known: Readonly<Record<string, Circuit>>) => {
  const circuits = { ...closedCircuits, read: async () => new Map(Object.entries(known)) };
  return (routes: readonly EngineRoute[], body = {}) =>
    chooseRoute({ circuits, clock: { now: () => now } }, routes, body, 'caller');
};
const chosen = (route: EngineRoute) => ({ status: 'chosen', route });

describe('of routes that all support the request', () => {
  const routes = [first, second, offline];

  test('takes the first whose circuit is closed for the account', async () => {
    expect(await choosing({})(routes)).toEqual(chosen(first));
    expect(await choosing({ 'fal/a': openFor('another account') })(routes)).toEqual(chosen(first));
    expect(await choosing({ 'fal/a': open })(routes)).toEqual(chosen(second));
    expect(await choosing({ 'fal/a': open, 'fal/b': open })(routes)).toEqual(chosen(offline));
  });

  test('says when to retry if all circuits are open', async () => {
    const later: Circuit = {
      ...unusedCircuit,
      accounts: { caller: { failures: 9, usedAt: now, openUntil: until + 60_000 } },
    };
    expect(await choosing({ 'fal/a': later, 'fal/b': open, 'offline/image': later })(routes)).toEqual({
      status: 'unavailable',
      retryAfterSeconds: 13,
    });
  });
});

describe('of routes that support some requests', () => {
  test.for<[EngineRoute['takes'], object, boolean]>([
    [{ image: 'given' }, { image: 'x' }, true],
    [{ image: 'given' }, {}, false],
    [{ image: 'absent' }, {}, true],
    [{ image: 'absent' }, { image: 'x' }, false],
    [{ images: 'given' }, { images: [] }, false],
    [{ images: 'absent' }, { images: [] }, true],
    [{ images: 'given' }, { images: ['x'] }, true],
    [{ images: 'absent' }, { images: ['x'] }, false],
    [{ text: 'given' }, { text: '' }, true],
    [{ scale: [4] }, { scale: 4 }, true],
    [{ scale: [4] }, { scale: 2 }, false],
    [{ scale: [4] }, {}, false],
    [{ scale: [2, 4], ratio: ['1:1'] }, { scale: 2, ratio: '1:1' }, true],
    [{ scale: [2, 4], ratio: ['1:1'] }, { scale: 2, ratio: '3:4' }, false],
  ])('%j meets %j: %s', async ([takes, body, taken]) => {
    const picky: EngineRoute = { ...first, ...(takes && { takes }) };
    expect(await choosing({})([picky, offline], body)).toEqual(chosen(taken ? picky : offline));
    expect(await choosing({})([picky], body)).toEqual(taken ? chosen(picky) : { status: 'unsupported' });
  });
});
