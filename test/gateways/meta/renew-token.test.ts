/** Renewing tokens at the sandbox's OAuth. */
import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { closeServer, listen } from '../../../fakes/listen.ts';
import type { channels } from '../../../shared/contracts/channels.ts';
import { stillClock } from '../../support/stepped-clock.ts';
import { testIds } from '../../support/test-table.ts';
import { connectedShop, faultIn, networkOn, startSandbox } from './meta-scene.ts';

const dayMs = 24 * 3_600_000;

const clock = stillClock();
const sandbox = await startSandbox({ now: () => clock.now() });
const network = networkOn(sandbox.url, { clock });
afterAll(() => sandbox.close());

const accessTo = (channel: (typeof channels)[number]) => connectedShop(sandbox, channel, testIds.next()).access;

/** Renews a token at a server with this response. */
async function renewedTo(body: object) {
  const server = createServer((_request, response) => void response.end(JSON.stringify(body)));
  const port = await listen(server, 0);
  try {
    return await networkOn(`http://127.0.0.1:${port}`, { clock }).renewToken(accessTo('instagram'));
  } finally {
    await closeServer(server);
  }
}

test('an Instagram token that is a day old can be renewed for 60 days, and itself stays valid until it expires', async () => {
  const access = accessTo('instagram');
  const grantedAt = clock.now();
  expect(await faultIn(network.renewToken(access))).toMatchObject({ reason: 'rejected' });
  clock.advance(30 * dayMs);
  const renewed = await network.renewToken(access);
  expect(renewed?.expiresAt).toBe(clock.now() + 60 * dayMs);
  const later = { ...access, accessToken: renewed?.accessToken ?? '' };
  expect(await network.page(access)).toEqual(await network.page(later));
  clock.advance(grantedAt + 60 * dayMs + 1000 - clock.now());
  expect(await faultIn(network.page(access))).toMatchObject({ reason: 'revoked' });
  expect(await network.page(later)).toMatchObject({ pageId: access.pageId });
});

test('an Instagram token that has expired or was never granted is not renewed', async () => {
  const access = accessTo('instagram');
  clock.advance(61 * dayMs);
  expect(await faultIn(network.renewToken(access))).toMatchObject({ reason: 'revoked' });
  expect(await faultIn(network.renewToken({ ...access, accessToken: 'gone' }))).toMatchObject({ reason: 'revoked' });
});

test.for([
  ['too long', 'a'.repeat(2001)],
  ['not in ASCII', 'é'],
  ['empty', ''],
  ['in two lines', 'a\nb'],
])('an Instagram token is not replaced with one that is %s', async ([, accessToken]) => {
  expect(await faultIn(renewedTo({ access_token: accessToken }))).toMatchObject({ reason: 'unavailable' });
});

test.for([
  [5_183_944, 'expires after this time', 5_183_944_000],
  [5_183_944.0005, 'expires after whole milliseconds', 5_183_944_000],
  [0, 'never expires', undefined],
  [-1, 'never expires', undefined],
  [1e300, 'never expires', undefined],
  ['soon', 'never expires', undefined],
] as const)('a new Instagram token with %j as its lifetime in seconds %s', async ([life, , lifeMs]) => {
  const renewed = await renewedTo({ access_token: 'a-new-token', expires_in: life });
  expect(renewed?.expiresAt).toBe(lifeMs === undefined ? undefined : clock.now() + lifeMs);
});

test('a token of a Facebook page is not renewed and does not expire', async () => {
  const access = accessTo('facebook');
  clock.advance(90 * dayMs);
  expect(await network.renewToken(access)).toBeUndefined();
  expect(await network.tokenDetails(access)).not.toHaveProperty('expiresAt');
});

test.for([
  [{ expires_at: 1_800_000_000 }, 'expires at that time', 1_800_000_000_000],
  [{ expires_at: 0 }, 'never expires', undefined],
  [{}, 'never expires', undefined],
  [{ expires_at: 'never' }, 'never expires', undefined],
  [{ expires_at: 1e300 }, 'never expires', undefined],
] as const)('a Facebook page token whose inspection returns %j %s', async ([data, , expiresAt]) => {
  const access = accessTo('facebook');
  const body = JSON.stringify({ data: { is_valid: true, user_id: '7', ...data } });
  const server = createServer((_request, response) => void response.end(body));
  const port = await listen(server, 0);
  const found = await networkOn(`http://127.0.0.1:${port}`, { clock }).tokenDetails(access);
  await closeServer(server);
  expect(found.expiresAt).toBe(expiresAt);
  expect(found.userId).toBe('7');
});

test.for([
  ['is down', 'unavailable', 'down'],
  ['loses the response', 'unavailable', 'lost'],
  ['responds with an HTML page', 'unavailable', 'page'],
  ['throttles the request', 'throttled', { code: 4 }],
  ['rejects the token', 'revoked', { code: 190, status: 400 }],
] as const)(
  'if Meta %s, renewing an Instagram token fails with the reason “%s” and can be retried',
  async ([, reason, outcome]) => {
    const access = accessTo('instagram');
    clock.advance(2 * dayMs);
    sandbox.outcomes.push(outcome);
    expect(await faultIn(network.renewToken(access))).toMatchObject({ reason });
    expect((await network.renewToken(access))?.expiresAt).toBe(clock.now() + 60 * dayMs);
  },
);
