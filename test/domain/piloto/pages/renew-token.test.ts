/** Tokens of connected pages are renewed long before they expire, whatever fails. */
import { beforeEach, expect, test } from 'vitest';
import { accessOf, connectPage, disconnectPage } from '../../../../shared/domain/piloto/pages/connect-page.ts';
import type { WorkNeeds } from '../../../../shared/domain/piloto/pages/work-on-connection.ts';
import type { SocialNetwork } from '../../../../shared/gateways/social-network.ts';
import { fault, tokenOf } from '../../../support/model-network.ts';
import type { InboxScene } from '../inbox-scene.ts';
import { useInboxScene } from '../use-inbox-scene.ts';

const day = 24 * 3_600_000;
const lifetime = 60 * day;

const inbox = useInboxScene();
let scene: InboxScene;
beforeEach(() => {
  scene = inbox.scene;
  scene.network.tokenLifetimeMs = lifetime;
});

async function stored() {
  const connection = await scene.connection();
  if (!connection) throw new Error('there is no connection');
  const token =
    connection.sealedToken === undefined ? undefined : (await accessOf(scene.needs, connection)).accessToken;
  return { ...connection, token };
}

const renewals = () => scene.network.requests.filter((request) => request === 'renewToken').length;
const endings = () => scene.metrics.recorded.filter(([line]) => 'TokensExpiringSoon' in line).length;

async function workAfter(milliseconds: number, needs?: WorkNeeds): Promise<void> {
  scene.clock.advance(milliseconds);
  await scene.work(needs);
}

/** A social network that behaves differently when a token is renewed. */
const renewing = (renewToken: SocialNetwork['renewToken']): WorkNeeds => ({
  ...scene.needs,
  socialNetwork: { ...scene.network, renewToken },
});

const reconnect = (granted = scene.network.grant(scene.page)) =>
  connectPage(scene.needs, { ...scene.id, network: 'sandbox', ...granted });

test('a page token of unknown age is renewed as soon as it is certainly a day old, and its expiry is known from then on', async () => {
  await workAfter(day - 1);
  expect(renewals()).toBe(0);
  expect(await stored()).not.toHaveProperty('tokenExpiresAt');
  await workAfter(300_000);
  const now = scene.clock.now();
  expect(await stored()).toMatchObject({ tokenExpiresAt: now + lifetime, renewTokenAt: now + lifetime / 2 });
  expect((await stored()).token).not.toBe(tokenOf(scene.page.pageId));
});

test('a token with a known expiry is renewed once, at half its lifetime', async () => {
  await reconnect();
  await workAfter(lifetime / 2 - 1);
  expect(renewals()).toBe(0);
  await workAfter(1);
  await workAfter(day);
  expect(renewals()).toBe(1);
  expect(endings()).toBe(0);
});

test('a token is renewed within a month, however long the social network says that it lasts', async () => {
  scene.network.tokenLifetimeMs = 300 * 365 * day;
  await reconnect();
  await workAfter(30 * day);
  expect(renewals()).toBe(1);
});

test('a renewed page token is stored encrypted for its connection and is never logged', async () => {
  await workAfter(day);
  const { token = '', sealedToken } = await stored();
  expect(sealedToken).not.toContain(token);
  const logged = JSON.stringify([scene.logger.warnings, scene.logger.errors, scene.metrics.recorded]);
  expect(logged).not.toContain(token);
});

test.for(['unavailable', 'throttled', 'rejected', 'unknown-outcome'] as const)(
  'a token renewal that fails as “%s” does not stop synchronizations and is retried after half an hour',
  async (reason) => {
    await workAfter(
      day,
      renewing(async () => {
        throw fault(reason);
      }),
    );
    const now = scene.clock.now();
    expect(await stored()).toMatchObject({ state: 'connected', syncedAt: now, renewTokenAt: now + day / 48 });
    expect((await stored()).token).toBe(tokenOf(scene.page.pageId));
    await workAfter(day / 48);
    expect((await stored()).token).not.toBe(tokenOf(scene.page.pageId));
  },
);

test('a failed token renewal is retried later than usual if the social network asks for a longer wait', async () => {
  const throttled = async () => Promise.reject(fault('throttled', 7200));
  await workAfter(day, renewing(throttled));
  expect((await stored()).renewTokenAt).toBe(scene.clock.now() + 7_200_000);
});

test('a token renewal whose response was lost is requested one more time', async () => {
  await workAfter(
    day,
    renewing(async () => {
      scene.network.grant(scene.page);
      throw fault('unavailable');
    }),
  );
  await workAfter(day / 48);
  expect(await stored()).toMatchObject({ state: 'connected', tokenExpiresAt: scene.clock.now() + lifetime });
});

test('a crash between a token’s renewal and its storage only delays the renewal', async () => {
  const { connections } = scene.needs;
  const save: typeof connections.save = async (connection) => {
    if (connection.tokenExpiresAt !== undefined) throw new Error('the process has ended');
    return connections.save(connection);
  };
  scene.clock.advance(day);
  await expect(scene.work({ ...scene.needs, connections: { ...connections, save } })).rejects.toThrow('has ended');
  await workAfter(60_000);
  expect((await stored()).tokenExpiresAt).toBe(scene.clock.now() + lifetime);
});

test('a token received during a renewal is not overwritten by the renewed one', async () => {
  const given = scene.network.grant(scene.page);
  await workAfter(
    day,
    renewing(async () => {
      await reconnect(given);
      return scene.network.grant(scene.page);
    }),
  );
  expect((await stored()).token).toBe(given.accessToken);
});

test('a page that is disconnected during the renewal of its token is left without a token', async () => {
  await workAfter(
    day,
    renewing(async () => {
      await disconnectPage(scene.needs, scene.id);
      return scene.network.grant(scene.page);
    }),
  );
  expect(await stored()).toMatchObject({ state: 'erasing', token: undefined });
  expect(await stored()).not.toHaveProperty('tokenExpiresAt');
});

test('a renewed token is stored although an operator requests a synchronization at the same time', async () => {
  const { connections } = scene.needs;
  await workAfter(
    day,
    renewing(async () => {
      const current = await connections.find(scene.id);
      if (current) await connections.save({ ...current, fullySyncedAt: undefined, leasedUntil: undefined });
      return scene.network.grant(scene.page);
    }),
  );
  expect((await stored()).tokenExpiresAt).toBe(scene.clock.now() + lifetime);
  expect(renewals()).toBe(0);
});

test('a revoked token is shown as revoked, and renewed when the social network accepts it again', async () => {
  scene.network.interrupt = () => {
    throw fault('revoked');
  };
  await workAfter(day);
  expect(await stored()).toMatchObject({ state: 'revoked', fault: 'revoked' });
  scene.network.interrupt = undefined;
  await workAfter(day);
  expect(await stored()).toMatchObject({ state: 'connected', tokenExpiresAt: scene.clock.now() + lifetime });
});

test('a token that expires within a week is reported each time until it is renewed', async () => {
  await reconnect();
  const unwilling = renewing(async () => undefined);
  await workAfter(lifetime - 7 * day, unwilling);
  expect(endings()).toBe(0);
  await workAfter(300_000, unwilling);
  await workAfter(300_000, unwilling);
  expect(endings()).toBe(2);
  expect(JSON.stringify(scene.logger.warnings)).not.toContain('token expires soon');
  await workAfter(day, unwilling);
  expect(endings()).toBe(3);
  expect(JSON.stringify(scene.logger.warnings)).toContain('token expires soon');
  await workAfter(day);
  await workAfter(300_000);
  expect(endings()).toBe(3);
});

test.for([
  ['rejected', 'is reported', 1],
  ['unsupported', 'is reported', 1],
  ['revoked', 'is reported', 1],
  ['unavailable', 'is not reported', 0],
  ['throttled', 'is not reported', 0],
] as const)('a token of unknown expiry whose renewal fails as %s %s', async ([reason, , count]) => {
  await workAfter(
    day,
    renewing(async () => Promise.reject(fault(reason))),
  );
  expect(endings()).toBe(count);
});

/** A social network that renews no tokens, and states when one expires. */
const ending = (tokenDetails: SocialNetwork['tokenDetails']): WorkNeeds => ({
  ...scene.needs,
  socialNetwork: { ...scene.network, renewToken: async () => undefined, tokenDetails },
});

test('the expiry date of a page token that cannot be renewed is queried daily and reported in time', async () => {
  const expiresAt = scene.clock.now() + 9 * day;
  let asked = 0;
  const needs = ending(async () => {
    asked += 1;
    return asked === 1 ? {} : { expiresAt };
  });
  await workAfter(day, needs);
  expect(await stored()).not.toHaveProperty('tokenExpiresAt');
  await workAfter(day, needs);
  expect(await stored()).toMatchObject({ tokenExpiresAt: expiresAt, renewTokenAt: scene.clock.now() + day });
  await workAfter(day / 2, needs);
  expect([asked, endings()]).toEqual([2, 1]);
  expect((await stored()).token).toBe(tokenOf(scene.page.pageId));
});

test.for(['unavailable', 'revoked'] as const)(
  'a request for a token’s expiry that fails as “%s” leaves the known expiry unchanged',
  async (reason) => {
    await reconnect();
    const { tokenExpiresAt } = await stored();
    await workAfter(
      lifetime / 2,
      ending(() => Promise.reject(fault(reason))),
    );
    const now = scene.clock.now();
    expect(await stored()).toMatchObject({
      state: 'connected',
      syncedAt: now,
      tokenExpiresAt,
      renewTokenAt: now + day,
    });
    expect(endings()).toBe(0);
  },
);

test('a connection stored by an earlier release is renewed too', async () => {
  const { renewTokenAt: _unknown, ...earlier } = await stored();
  await scene.needs.connections.save(earlier);
  await workAfter(day);
  expect((await stored()).tokenExpiresAt).toBe(scene.clock.now() + lifetime);
});
