/** Tests that resources do not exist for those who may not see them: other accounts, and callers in the other mode. */
import { afterAll, describe, expect, test } from 'vitest';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { registry } from '../../shared/contracts/registry.ts';
import { acceptsTests, type Scope } from '../../shared/contracts/scopes.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { callAsPage, giveSession } from '../support/given-session.ts';
import {
  createResources,
  type IdPlace,
  idPlaces,
  missingId,
  paramsBeside,
  prepareCaller,
} from '../support/id-places.ts';
import { matrixRows } from '../support/matrix-rows.ts';
import { storedItems } from '../support/stored-items.ts';
import type { Call, TestAccount, TestResponse } from '../support/test-service.ts';
import { countedService } from '../support/trips.ts';

/** The service of the test file that is running, because files in one process share this module. */
let host: Awaited<ReturnType<typeof countedService>>;

const account = () => host.account({ planId: 'business' });

/** The caller: a token of the account, or a session of its user. */
interface Caller extends TestAccount {
  readonly session?: { readonly accountId: string; readonly headers?: Readonly<Record<string, string>> };
}

/** The owner of resources, and a stranger who requests them. */
type Pair = readonly [owner: TestAccount, stranger: Caller];

async function modesOfAnAccount(): Promise<Pair> {
  const live = await account();
  const accountId = testAccountOf(live.accountId);
  return [live, { accountId, ...(await host.token(accountId)) }];
}

const pairs = {
  'another account’s resource': async (): Promise<Pair> => [await account(), await account()],
  'a live resource, for a test token': modesOfAnAccount,
  'a test resource, for a live token': async (): Promise<Pair> => {
    const [live, test] = await modesOfAnAccount();
    return [test, live];
  },
  'a live resource, for a session in test mode': async (): Promise<Pair> => {
    const [live, test] = await modesOfAnAccount();
    const headers = { 'x-test-mode': 'true' };
    return [live, { ...test, session: { accountId: live.accountId, headers } }];
  },
  'a test resource, for a session in live mode': async (): Promise<Pair> => {
    const [live, test] = await modesOfAnAccount();
    return [test, { ...live, session: { accountId: live.accountId } }];
  },
} as const;

export type Whose = keyof typeof pairs;

const contractOf = ({ operationId }: IdPlace): OperationContract => registry[operationId];

const rowsOf = (whose: readonly Whose[], methods: readonly string[]) =>
  idPlaces
    .filter(({ operationId }) => methods.includes(registry[operationId].method))
    .flatMap((place) =>
      whose
        .filter((one) => one === 'another account’s resource' || acceptsTests(registry[place.operationId].scopes))
        .filter((one) => !one.includes('session') || contractOf(place).dashboard)
        .map((one) => [place.operationId, one, place.name, place] as const),
    );

const callNaming = (place: IdPlace, name: string, ids: readonly string[]): Call => {
  const { part, written } = place;
  const { example } = contractOf(place);
  const value = written(ids);
  return {
    ...(example.params && { params: example.params }),
    ...(example.body && { body: example.body }),
    ...(part === 'params' && { params: { ...example.params, ...paramsBeside(ids[0] ?? ''), [name]: String(value) } }),
    ...(part === 'query' && { query: `${name}=${String(value)}` }),
    ...(part === 'body' && { body: { ...example.body, [name]: value } }),
  };
};

/** Everything in a response that the caller can see, and the round trips that the service made for it. */
interface Seen extends Pick<TestResponse, 'status' | 'text' | 'headers'> {
  readonly trips: readonly string[];
}

async function ask(call: () => Promise<TestResponse>): Promise<Seen> {
  const responded = Promise.withResolvers<TestResponse>();
  const trips = await host.trips(async () => responded.resolve(await call()));
  const { status, text, headers: all } = await responded.promise;
  const { 'x-request-id': _own, date: _now, ...headers } = all;
  const named = trips.map(({ to, operation }) => `${to}: ${operation}`).toSorted();
  return { status, text, headers, trips: named };
}

/** All rows except those of tokens and sessions, which record their last requests, and of which the test itself creates some. */
const kept = async () =>
  new Map(
    [...(await storedItems(host.service.environment))].filter(([key]) => !/^(?:TOKEN(?:S|-ID)?|SESSIONS?)#/.test(key)),
  );

/** Tests the operations with these methods, and for these pairs of owner and stranger. */
export async function describeTenancy(
  whose: readonly Whose[],
  methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
): Promise<void> {
  host = await countedService(0);
  afterAll(() => host.close());

  describe.for(matrixRows(rowsOf(whose, methods)))(
    '%s with the id of %s as its %s',
    ([operationId, owned, name, place]) => {
      /** Uses a new token or session, so that its remaining rate limit is the same each time. */
      const askAs = async ({ accountId, session }: Caller, ids: readonly string[], scope: Scope): Promise<Seen> => {
        const call = callNaming(place, name, ids);
        if (session) {
          const { cookie } = await giveSession(host.service.context, session.accountId);
          return ask(() => callAsPage(host.url, operationId, { ...call, ...session, cookie }));
        }
        const { token } = await host.token(accountId, [scope]);
        return ask(() => host.call(operationId, { ...call, token }));
      };

      test('gets the same response as with an unknown id under each scope, and changes nothing', async () => {
        const [owner, stranger] = await pairs[owned]();
        await prepareCaller(place, host, stranger);
        const things = Object.entries(await createResources(place, host, owner));
        const own = place.takesSeveral ? Object.values(await createResources(place, host, stranger)).slice(0, 1) : [];
        const missing = missingId(place, host);
        // A catalog that becomes stale between two requests would add a trip to the second.
        await host.call('listPlans');
        const before = await kept();

        for (const scope of registry[operationId].scopes) {
          // The first call of a kind opens connections.
          await askAs(stranger, [missing], scope);
          const unknown = await askAs(stranger, [missing], scope);
          const unknownBesideOwn = await askAs(stranger, [...own, missing], scope);
          for (const [which, id] of things) {
            expect(await askAs(stranger, [id], scope), `a resource ${which}`).toEqual(unknown);
            expect(await askAs(stranger, [...own, id], scope), `${which} beside one of its own`).toEqual(
              unknownBesideOwn,
            );
          }
          expect(unknown.trips.length).toBeGreaterThan(1);
          if (place.part === 'params') expect(unknown.status).toBe(404);
        }
        expect(await kept()).toEqual(before);
        const [scope = expect.fail('the operation needs no scope')] = registry[operationId].scopes;
        const unknown = await askAs(stranger, [missing], scope);
        for (const [, id] of things) expect((await askAs(owner, [id], scope)).text).not.toBe(unknown.text);
      });
    },
  );
}
