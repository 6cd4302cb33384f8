/** Completing a consent while the social network hangs, or while the session ends. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { requestTimeoutSeconds } from '../../../../infra/hosting.ts';
import type { Channel } from '../../../../shared/contracts/channels.ts';
import { choosePage } from '../../../../shared/domain/piloto/pages/choose-page.ts';
import {
  type ConsentNeeds,
  completeConsent,
  networkLimitMs,
} from '../../../../shared/domain/piloto/pages/complete-consent.ts';
import { connectionStore } from '../../../../shared/domain/piloto/pages/connection-store.ts';
import { requestConsent } from '../../../../shared/domain/piloto/pages/request-consent.ts';
import { endIfLive } from '../../../../shared/domain/sessions/session-store.ts';
import { metaLogin } from '../../../../shared/gateways/meta/meta-login.ts';
import { appSecret, networkOn, startSandbox } from '../../../gateways/meta/meta-scene.ts';
import { giveSession } from '../../../support/given-session.ts';
import { RecordingLogger } from '../../../support/recording-logger.ts';
import { stillClock } from '../../../support/stepped-clock.ts';
import { testIds, testTable } from '../../../support/test-table.ts';
import { testBox } from '../inbox-scene.ts';

const dashboardUrl = 'https://dashboard.example';
/** The time limit of a single exchange, so long that only the overall deadline can end it. */
const timeLimitMs = 600_000;

const { secretBox, remove } = testBox();
const clock = stillClock();
let needs: ConsentNeeds;

const [database, sandbox] = await Promise.all([testTable(), startSandbox()]);
afterAll(async () => {
  await Promise.all([database.close(), sandbox.close()]);
  remove();
});
beforeEach(() => {
  needs = {
    clock,
    connections: connectionStore(database.table),
    inboxQueue: { send: async () => undefined },
    logger: new RecordingLogger(),
    secretBox,
    socialLogin: metaLogin({
      sandboxUrl: () => sandbox.url,
      version: () => 'v24.0',
      appId: () => 'the-app',
      appSecret: async () => appSecret,
      clock,
      timeLimitMs,
    }),
    socialNetwork: networkOn(sandbox.url, { clock, timeLimitMs }),
    table: database.table,
  };
});

/** An owner whose browser has just returned from the dialog, in which the given number of pages were granted. */
async function returned(channel: Channel, pages = 1) {
  const accountId = testIds.next();
  const { digest } = await giveSession({ ...needs, ids: testIds, settings: { dashboardUrl } }, accountId);
  const owner = { accountId, digest, channel };
  const page = { channel, network: 'sandbox' } as const;
  const { url, secret } = await requestConsent({ ...needs, ids: testIds }, owner, page, dashboardUrl);
  const shops = Array.from({ length: pages }, () => testIds.next()).flatMap((name) => sandbox.world.shopOf(name));
  const pageIds = shops.filter((shop) => shop.channel === channel).map(({ id }) => id);
  const body = new URLSearchParams([['action', 'allow'], ...pageIds.map((id): [string, string] => ['pageId', id])]);
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  const { searchParams } = new URL(response.headers.get('location') ?? '');
  const [code, state] = ['code', 'state'].map((name) => searchParams.get(name) ?? undefined);
  return { owner, pageIds, callback: { code, state, secret, error: undefined } };
}

describe.for([
  ['instagram', 3],
  ['facebook', 5],
] as const)('completing the consent for %s', ([channel, exchanges]) => {
  test.for(Array.from({ length: exchanges }, (_, index) => index + 1))(
    'ends with the outcome network-down if the social network hangs at network call %i',
    async (call) => {
      const { owner, callback } = await returned(channel);
      const since = sandbox.requests.length;
      sandbox.outcomes.push(...Array.from({ length: call - 1 }, () => 'done' as const), 'hang');
      const done = await completeConsent(needs, owner, callback, dashboardUrl, 1000);
      expect(done.outcome).toBe('network-down');
      expect(sandbox.requests.length - since).toBeLessThanOrEqual(call);
      expect(await needs.connections.find(owner)).toBeUndefined();
      sandbox.outcomes.length = 0;
    },
  );

  test(`makes ${exchanges} network calls`, async () => {
    const { owner, callback } = await returned(channel);
    const since = sandbox.requests.length;
    expect(await completeConsent(needs, owner, callback, dashboardUrl)).toEqual({ outcome: 'connected' });
    expect(sandbox.requests.length - since).toBe(exchanges);
  });
});

test('the time limit for calls to a social network ends before the function times out', () => {
  expect(networkLimitMs).toBeLessThanOrEqual((requestTimeoutSeconds - 5) * 1000);
});

describe('a session that ends during a call to the social network connects no page', () => {
  /** The owner or another request ends the session after the session's last check. */
  const endingSession = (digest: string): ConsentNeeds => ({
    ...needs,
    socialNetwork: {
      ...needs.socialNetwork,
      async tokenDetails(access) {
        const details = await needs.socialNetwork.tokenDetails(access);
        expect(await endIfLive(database.table, digest, clock.now())).toBe(true);
        return details;
      },
    },
  });
  const loggedOut = { name: 'Rejection', kind: 'unauthenticated' };

  test('when the social network redirects back', async () => {
    const { owner, callback } = await returned('instagram');
    const completing = completeConsent(endingSession(owner.digest), owner, callback, dashboardUrl);
    await expect(completing).rejects.toMatchObject(loggedOut);
    expect(await needs.connections.find(owner)).toBeUndefined();
  });

  test('when the owner chooses a page', async () => {
    const { owner, callback, pageIds } = await returned('facebook', 2);
    expect(await completeConsent(needs, owner, callback, dashboardUrl)).toEqual({ outcome: 'choose' });
    const choosing = choosePage(endingSession(owner.digest), owner, pageIds[0] ?? '');
    await expect(choosing).rejects.toMatchObject(loggedOut);
    expect(await needs.connections.find(owner)).toBeUndefined();
    expect(await needs.connections.accountOf('facebook', pageIds[0] ?? '')).toBeUndefined();
  });
});
