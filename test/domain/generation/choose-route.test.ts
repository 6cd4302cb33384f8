/** Which of its routes a new task takes. */
import { describe, expect, test } from 'vitest';
import type { EngineRoute } from '../../../shared/catalog/engine-choice.ts';
import { chooseRoute } from '../../../shared/domain/generation/choose-route.ts';
import { type Circuit, failuresThatOpen } from '../../../shared/domain/generation/circuit.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';

const now = 1_000_000;
const open: Circuit = { failures: failuresThatOpen, openUntil: now + 1 };
const paused: Circuit = { failures: failuresThatOpen, openUntil: now };

const first: EngineRoute = { engine: 'fal', model: 'a' };
const second: EngineRoute = { engine: 'fal', model: 'b' };
const offline: EngineRoute = { engine: 'offline' };

/** Whichever is chosen when so much is known against the routes. */
const choosing = (known: Readonly<Record<string, Circuit>>) => {
  const circuits = { ...closedCircuits, read: async () => new Map(Object.entries(known)) };
  return (routes: readonly EngineRoute[], body = {}, mayProbe = true) =>
    chooseRoute({ circuits, clock: { now: () => now } }, routes, body, { taskType: 'image', mayProbe });
};
const closed = (route: EngineRoute) => ({ route, isProbe: false });

describe('of routes that can all do it', () => {
  const routes = [first, second, offline];

  test('the first is taken when nothing is known against it', async () => {
    expect(await choosing({})(routes)).toEqual(closed(first));
    expect(await choosing({ 'fal/a': { failures: failuresThatOpen - 1 } })(routes)).toEqual(closed(first));
  });

  test('the next one stands in for one whose circuit is open', async () => {
    expect(await choosing({ 'fal/a': open })(routes)).toEqual(closed(second));
    expect(await choosing({ 'fal/a': open, 'fal/b': open })(routes)).toEqual(closed(offline));
  });

  test('none is available when all are open', async () => {
    expect(await choosing({ 'fal/a': open, 'fal/b': open, 'offline/image': open })(routes)).toBe('unavailable');
  });

  test('one whose pause is over is tried by a task that may, and left alone by others', async () => {
    const choose = choosing({ 'fal/a': paused });
    expect(await choose(routes)).toEqual({ route: first, isProbe: true });
    expect(await choose(routes, {}, false)).toEqual(closed(second));
    expect(await choose([first], {}, false)).toBe('unavailable');
  });
});

describe('of routes that take some requests', () => {
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
    expect(await choosing({})([picky, offline], body)).toEqual(closed(taken ? picky : offline));
    expect(await choosing({})([picky], body)).toEqual(taken ? closed(picky) : 'unable');
  });
});
