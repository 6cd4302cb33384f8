/**
 * Months of a connected page: whatever happens to renewals, and at the same time, the stored token is valid whenever
 * the page is used, and belongs to the user who connected the page last.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { accessOf, connectPage, disconnectPage } from '../../../../shared/domain/piloto/pages/connect-page.ts';
import { type WorkNeeds, workOnConnection } from '../../../../shared/domain/piloto/pages/work-on-connection.ts';
import { fault } from '../../../support/model-network.ts';
import { modelRuns } from '../../../support/model-runs.ts';
import type { InboxScene } from '../inbox-scene.ts';
import { useInboxScenes } from '../use-inbox-scene.ts';

const day = 24 * 3_600_000;
const lifetime = 60 * day;

const scenes = useInboxScenes();

/** The possible outcomes of a renewal, of which only the first is a normal success. */
const outcomes = ['done', 'down', 'lost', 'crash', 'reconnected', 'synchronized'] as const;

const history = fc.record({
  steps: fc.array(
    fc.record({ days: fc.integer({ min: 3, max: 6 }), isReconnected: fc.nat(29).map((one) => one === 0) }),
    { minLength: 20, maxLength: 22 },
  ),
  /** Fewer outcomes than there are steps in half of a token's lifetime. */
  outcomes: fc.array(fc.constantFrom(...outcomes), { maxLength: 4 }),
  isDisconnected: fc.boolean(),
});

type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** The tokens granted since the page was last connected, including that of the connection. */
function lineage(scene: InboxScene) {
  let valid = new Set<string>();
  const connect = async () => {
    const granted = scene.network.grant(scene.page);
    valid = new Set([granted.accessToken]);
    await connectPage(scene.needs, { ...scene.id, network: 'sandbox', ...granted });
  };
  const renew = () => {
    const granted = scene.network.grant(scene.page);
    valid.add(granted.accessToken);
    return granted;
  };
  return { connect, renew, holds: (token: string) => valid.has(token) };
}

/**
 * A social network whose next renewals have these outcomes, and a store at which the process crashes if an outcome says
 * so.
 */
function withOutcomes(scene: InboxScene, { renew, connect }: ReturnType<typeof lineage>, given: History): WorkNeeds {
  const left = [...given.outcomes];
  const { connections } = scene.needs;
  let isCrashing = false;
  const actions = {
    down: () => Promise.reject(fault('unavailable')),
    lost: () => {
      renew();
      return Promise.reject(fault('unavailable'));
    },
    done: async () => renew(),
    crash: async () => {
      isCrashing = true;
      return renew();
    },
    async reconnected() {
      const granted = renew();
      await connect();
      return granted;
    },
    async synchronized() {
      const current = await connections.find(scene.id);
      if (current) await connections.save({ ...current, leasedUntil: undefined });
      return renew();
    },
  };
  return {
    ...scene.needs,
    socialNetwork: { ...scene.network, renewToken: () => actions[left.shift() ?? 'done']() },
    connections: {
      ...connections,
      async save(connection, besides) {
        if (isCrashing) throw new Error('the process has ended');
        return connections.save(connection, besides);
      },
      find(id) {
        isCrashing = false;
        return connections.find(id);
      },
    },
  };
}

async function lasts(given: History): Promise<void> {
  const scene = await scenes.newScene();
  scene.network.tokenLifetimeMs = lifetime;
  const tokens = lineage(scene);
  const needs = withOutcomes(scene, tokens, given);
  await tokens.connect();
  for (const { days, isReconnected } of given.steps) {
    scene.clock.advance(days * day);
    if (isReconnected) await tokens.connect();
    await workOnConnection(needs, scene.id).catch(() => undefined);
    const connection = await scene.connection();
    if (!connection) throw new Error('the connection is gone');
    expect(connection.state).toBe('connected');
    const { accessToken } = await accessOf(needs, connection);
    expect(scene.page.tokens.get(accessToken)).toBeGreaterThan(scene.clock.now());
    expect(tokens.holds(accessToken)).toBe(true);
  }
  if (!given.isDisconnected) return;
  await disconnectPage(needs, scene.id);
  expect(await scene.connection()).not.toHaveProperty('sealedToken');
}

test('a page’s token stays valid as long as the page is connected', async () => {
  await fc.assert(fc.asyncProperty(history, lasts), modelRuns(5));
}, 120_000);
