/** The meaning of each fault of the Graph API: whether the request may have had an effect, and when to retry. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { MetaOutcome } from '../../../fakes/meta/meta-http.ts';
import type { NetworkFault, SocialNetwork } from '../../../shared/gateways/social-network.ts';
import { localServer } from '../../support/local-server.ts';
import { testIds } from '../../support/test-table.ts';
import { type ConnectedShop, connectedShop, faultIn, networkOn, startSandbox } from './meta-scene.ts';

let shop: ConnectedShop;

const sandbox = await startSandbox();
beforeEach(() => {
  shop = connectedShop(sandbox, 'instagram', testIds.next());
  sandbox.world.write(shop.person, 'Oi');
});
afterAll(() => sandbox.close());

const read = (network: SocialNetwork) => network.messages(shop.access, `t_${shop.person.id}`);
const write = (network: SocialNetwork) => network.sendText(shop.access, shop.person.id, 'Um texto secreto');
const ownTexts = () =>
  sandbox.world.messagesWith(shop.person).filter(({ isOwn, text }) => isOwn && text.includes('secreto'));

const reasonsOf = async (outcome: MetaOutcome) => {
  const network = networkOn(sandbox.url);
  sandbox.outcomes.push(outcome);
  const first = await faultIn(read(network));
  sandbox.outcomes.push(outcome);
  return [first.reason, (await faultIn(write(network))).reason];
};

test.for<[string, MetaOutcome, string, string]>([
  ['an expired token', { code: 190, subcode: 463, status: 401 }, 'revoked', 'revoked'],
  ['an ended session', { code: 102 }, 'revoked', 'revoked'],
  ['too many calls of the app', { code: 4 }, 'throttled', 'throttled'],
  ['too many calls of a person', { code: 17 }, 'throttled', 'throttled'],
  ['too many calls for the page', { code: 32 }, 'throttled', 'throttled'],
  ['too many calls of one kind', { code: 613 }, 'throttled', 'throttled'],
  ['too many calls for a business', { code: 80_002 }, 'throttled', 'throttled'],
  ['a plain 429', { status: 429 }, 'throttled', 'throttled'],
  ['a closed reply window', { code: 10, subcode: 2_534_022, status: 403 }, 'window-closed', 'window-closed'],
  ['a closed reply window of Messenger', { code: 10, subcode: 2_018_278 }, 'window-closed', 'window-closed'],
  ['a missing permission', { code: 200, status: 403 }, 'rejected', 'rejected'],
  ['a missing object', { code: 100, subcode: 33 }, 'not-found', 'not-found'],
  ['a missing alias', { code: 803 }, 'not-found', 'not-found'],
  ['a wrong parameter', { code: 100 }, 'rejected', 'rejected'],
  ['a policy violation', { code: 368 }, 'rejected', 'rejected'],
  ['an unknown error', { code: 1, status: 500 }, 'unavailable', 'unknown-outcome'],
  ['a temporary error', { code: 2 }, 'unavailable', 'unknown-outcome'],
  ['a transient error', { code: 9999, isTransient: true }, 'unavailable', 'unknown-outcome'],
  ['a 502 without an error', { status: 502 }, 'unavailable', 'unknown-outcome'],
  ['a dropped connection', 'down', 'unavailable', 'unknown-outcome'],
  ['a lost response', 'lost', 'unavailable', 'unknown-outcome'],
  ['an HTML page instead of JSON', 'page', 'unavailable', 'unknown-outcome'],
])(
  'the Meta fault “%s” is reported with its own reason for reads and for writes',
  async ([, outcome, ofRead, ofWrite]) => {
    expect(await reasonsOf(outcome)).toEqual([ofRead, ofWrite]);
  },
);

test('a write to Meta may have been done if its response is lost, and was not done if Meta responds with an error', async () => {
  const network = networkOn(sandbox.url);
  sandbox.outcomes.push('lost');
  await faultIn(write(network));
  expect(ownTexts()).toHaveLength(1);
  sandbox.outcomes.push({ code: 4 });
  await faultIn(write(network));
  expect(ownTexts()).toHaveLength(1);
});

test('a response from Meta that takes too long is reported as a fault', async () => {
  const network = networkOn(sandbox.url, { timeLimitMs: 50 });
  sandbox.outcomes.push('hang', 'hang');
  expect([(await faultIn(read(network))).reason, (await faultIn(write(network))).reason]).toEqual([
    'unavailable',
    'unknown-outcome',
  ]);
});

test('a write to Meta that could not be sent was not done', async () => {
  const gone = await localServer(() => undefined);
  await gone.close();
  const network = networkOn(gone.url);
  expect((await faultIn(write(network))).reason).toBe('unavailable');
});

test('a redirect from Meta is not followed, and an endless response is not read', async () => {
  const seen: (string | undefined)[] = [];
  const other = await localServer((request, response) => {
    seen.push(request.url);
    const isEndless = request.url?.includes('/messages') ?? false;
    if (!isEndless) {
      response.writeHead(302, { location: '/elsewhere' }).end();
      return;
    }
    response.writeHead(200);
    const write = () => {
      if (!response.destroyed) response.write(Buffer.alloc(2 ** 20, 32), write);
    };
    write();
  });
  const network = networkOn(other.url);
  expect((await faultIn(network.posts(shop.access))).reason).toBe('unavailable');
  expect((await faultIn(read(network))).reason).toBe('unavailable');
  await other.close();
  expect(seen.some((url) => url?.includes('elsewhere'))).toBe(false);
});

test('a connection to Meta counts as revoked if the owner has taken back a permission for its page', async () => {
  sandbox.outcomes.push({ code: 10 }, { code: 200 });
  const network = networkOn(sandbox.url);
  expect((await faultIn(network.conversations(shop.access))).reason).toBe('revoked');
  expect((await faultIn(network.posts(shop.access))).reason).toBe('revoked');
});

test('a malformed entry of a list from Meta does not hide other entries, and is reported if it has an id', async () => {
  const data = [null, { id: '' }, { id: '7', created_time: '2026-11-23T01:00:00+0000' }];
  const good = { id: '8', created_time: '2026-11-23T01:00:00+0000', from: { id: '5' }, message: 'Oi' };
  const server = await localServer(
    (_request, response) => void response.end(JSON.stringify({ data: [...data, good] })),
  );
  const { items, unreadable, next } = await read(networkOn(server.url));
  await server.close();
  expect(items).toMatchObject([{ id: '8', text: 'Oi', createdAt: Date.UTC(2026, 10, 23, 1) }]);
  expect(unreadable).toEqual(['7']);
  expect(next).toBeUndefined();
});

test.for(['\ud800', 'a b', 'é', 'c'.repeat(4001)])(
  'a list from Meta whose cursor could not be stored is unreadable: %j',
  async (after) => {
    const body = JSON.stringify({ data: [], paging: { next: 'https://example.com', cursors: { after } } });
    const server = await localServer((_request, response) => void response.end(body));
    expect((await faultIn(read(networkOn(server.url)))).reason).toBe('unavailable');
    await server.close();
  },
);

test('lists from Meta contain no URLs other than web addresses', async () => {
  const script = 'javascript:alert(1)';
  const times = { created_time: '2026-11-23T01:00:00+0000', timestamp: '2026-11-23T01:00:00+0000' };
  const media = { ...times, id: '1', permalink: 'https://instagram.example/p/1', media_url: script };
  const message = {
    ...times,
    id: '2',
    from: { id: '5' },
    shares: { data: [{ link: script }, { link: 'https://shop.example' }] },
    attachments: { data: [{ image_data: { url: script } }, { mime_type: 'audio/mp4', file_url: 'data:audio/mp4,x' }] },
  };
  const server = await localServer(({ url = '' }, response) => {
    const data = url.includes('/messages') ? [message] : [media, { ...media, id: '3', permalink: script }];
    response.end(JSON.stringify({ data, name: 'Ana', profile_pic: script }));
  });
  const network = networkOn(server.url);
  const [messages, posts] = [await read(network), await network.posts(shop.access)];
  const person = await network.participant(shop.access, '5');
  await server.close();
  expect(messages.items).toMatchObject([{ attachments: [{ type: 'share', url: 'https://shop.example' }] }]);
  expect(posts).toMatchObject({ items: [{ id: '1', thumbnailUrl: null }], unreadable: ['3'] });
  expect(person).toMatchObject({ name: 'Ana', avatarUrl: null });
});

test('reported Meta faults contain error codes, but no tokens and no error texts', async () => {
  const network = networkOn(sandbox.url);
  sandbox.outcomes.push({ code: 100, subcode: 77 }, 'down', 'page');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const fault = (await write(network).catch((error: unknown) => error)) as NetworkFault;
    const shown = `${fault.message} ${fault.stack} ${JSON.stringify(fault)} ${String(fault.cause)}`;
    expect(shown).not.toContain(shop.access.accessToken);
    expect(shown).not.toContain('secreto');
    if (attempt === 0) expect(fault.message).toBe('Instagram responded with 400, 100, 77');
  }
});

describe('Meta’s rate limits', () => {
  const usage = (calls: number, minutes = 0) => {
    const used = { call_count: calls, total_cputime: 5, total_time: 5, estimated_time_to_regain_access: minutes };
    return { 'x-business-use-case-usage': JSON.stringify({ [shop.page.id]: [{ type: 'instagram', ...used }] }) };
  };
  const steppedNetwork = () => {
    let now = 1_795_000_000_000;
    const wait = (ms: number): void => {
      now += ms;
    };
    return { network: networkOn(sandbox.url, { clock: { now: () => now } }), wait };
  };

  test('stop background requests for a throttled page for as long as Meta says, but not requests that a user waits for', async () => {
    const { network, wait } = steppedNetwork();
    sandbox.outcomes.push({ code: 80_002, headers: usage(100, 7) });
    expect(await faultIn(read(network))).toMatchObject({ reason: 'throttled', retryAfterSeconds: 420 });
    const before = sandbox.requests.length;
    wait(60_000);
    expect(await faultIn(read(network))).toMatchObject({ reason: 'throttled', retryAfterSeconds: 360 });
    expect(sandbox.requests.length).toBe(before);
    await write(network);
    wait(360_000);
    await read(network);
  });

  test('stop requests for a throttled page for at most a day, whatever Meta says', async () => {
    for (const headers of [{ 'retry-after': '1000000000' }, { 'retry-after': 'Infinity' }, usage(100, 1e15)]) {
      const { network, wait } = steppedNetwork();
      sandbox.outcomes.push({ code: 80_002, headers });
      expect(await faultIn(read(network))).toMatchObject({ reason: 'throttled', retryAfterSeconds: 86_400 });
      expect(await faultIn(read(network))).toMatchObject({ reason: 'throttled', retryAfterSeconds: 86_400 });
      wait(86_400_000);
      await read(network);
    }
  });

  test('pause the requests of a page or app that has used 95 % of its calls', async () => {
    for (const headers of [usage(95), { 'x-app-usage': '{"call_count":10,"total_time":96,"total_cputime":3}' }]) {
      const { network, wait } = steppedNetwork();
      sandbox.outcomes.push({ headers });
      await read(network);
      expect(await faultIn(read(network))).toMatchObject({ reason: 'throttled', retryAfterSeconds: 60 });
      wait(60_000);
      await read(network);
    }
  });

  test('are not lifted early when a later response reports usage close to the limit', async () => {
    const { network, wait } = steppedNetwork();
    sandbox.outcomes.push({ code: 80_002, headers: usage(100, 7) }, { headers: usage(96) });
    await faultIn(read(network));
    await write(network);
    wait(60_000);
    expect(await faultIn(read(network))).toMatchObject({ reason: 'throttled', retryAfterSeconds: 360 });
  });

  test('stop only optional requests once half of a limit is used', async () => {
    for (const headers of [usage(50), { 'x-app-usage': '{"call_count":3,"total_time":50,"total_cputime":3}' }]) {
      const network = networkOn(sandbox.url);
      const describePerson = () => network.participant(shop.access, shop.person.id);
      sandbox.outcomes.push({ headers: usage(49) });
      await describePerson();
      sandbox.outcomes.push({ headers });
      await describePerson();
      const before = sandbox.requests.length;
      expect(await faultIn(describePerson())).toMatchObject({ reason: 'throttled' });
      expect(sandbox.requests).toHaveLength(before);
      await read(network);
    }
  });

  test('do not stop requests that a user waits for, even close to a limit', async () => {
    const network = networkOn(sandbox.url);
    sandbox.outcomes.push({ headers: usage(99) });
    await read(network);
    expect(await faultIn(read(network))).toMatchObject({ reason: 'throttled' });
    const access = { ...shop.access, isAwaited: true };
    expect((await network.conversationsWith(access, shop.person.id)).items).toHaveLength(1);
    expect((await network.messages(access, `t_${shop.person.id}`)).items.length).toBeGreaterThan(0);
  });

  test('do not count requests for a page before it is known which page the token belongs to', async () => {
    const { network } = steppedNetwork();
    const { pageId: _unknown, ...grant } = shop.access;
    for (const outcome of [{ headers: usage(99) }, { code: 80_002, headers: usage(100, 7) }]) {
      sandbox.outcomes.push(outcome);
      await network.page(grant).catch(() => undefined);
      expect(await network.page(grant)).toMatchObject({ pageId: shop.page.id });
    }
    sandbox.outcomes.push({ headers: { 'x-app-usage': '{"call_count":99,"total_time":3,"total_cputime":3}' } });
    await network.page(grant);
    expect(await faultIn(network.page(grant))).toMatchObject({ reason: 'throttled' });
  });

  test('are not triggered by usage that is far from the limit, of another page or unreadable', async () => {
    const { network } = steppedNetwork();
    const other = connectedShop(sandbox, 'instagram', testIds.next());
    sandbox.outcomes.push({ headers: usage(94) }, { headers: { 'x-app-usage': 'nonsense' } }, { headers: usage(99) });
    await read(network);
    await read(network);
    await network.posts(other.access);
    await read(network);
  });

  test('are reported by the sandbox too', async () => {
    const { network } = steppedNetwork();
    const usual = sandbox.callsPerHour;
    sandbox.callsPerHour = 1;
    await write(network);
    const fault = await faultIn(write(network));
    sandbox.callsPerHour = usual;
    expect(fault).toMatchObject({ reason: 'throttled', retryAfterSeconds: 3600 });
  });
});
