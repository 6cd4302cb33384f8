/**
 * Consents as a property: whatever sessions begin, complete, mix up, repeat and choose, at any pace, an account
 * connects only a page of that session's newest grant, in time and once, and only while the session exists.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { choosePage } from '../../../../shared/domain/piloto/pages/choose-page.ts';
import {
  type ConsentNeeds,
  completeConsent,
  connectionProblemOf,
} from '../../../../shared/domain/piloto/pages/complete-consent.ts';
import { disconnectPage } from '../../../../shared/domain/piloto/pages/connect-page.ts';
import { connectionStore } from '../../../../shared/domain/piloto/pages/connection-store.ts';
import { requestConsent } from '../../../../shared/domain/piloto/pages/request-consent.ts';
import { Rejection } from '../../../../shared/domain/rejection.ts';
import { endIfLive } from '../../../../shared/domain/sessions/session-store.ts';
import { secretBoxOf } from '../../../../shared/platform/secret-box.ts';
import { settingsOf, settingVariables } from '../../../../shared/platform/settings.ts';
import { giveSession } from '../../../support/given-session.ts';
import { modelNetwork, tokenOf } from '../../../support/model-network.ts';
import { modelRuns } from '../../../support/model-runs.ts';
import { RecordingLogger } from '../../../support/recording-logger.ts';
import { stillClock } from '../../../support/stepped-clock.ts';
import { testIds, testTable } from '../../../support/test-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'consents-'));

writeFileSync(join(folder, 'key'), 'a'.repeat(64));
const database = await testTable();
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const channel = 'facebook';
const dashboardUrl = 'https://dashboard.example';
const minuteMs = 60_000;

/** The accounts of three sessions: two belong to the same account, and one to another. */
const accountsOfSessions = [0, 0, 1] as const;

const session = fc.nat(2);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('begin' as const), session }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('return' as const),
      session,
      /** The sessions whose state and whose cookie are sent; null for the session itself. */
      stateOf: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: session }),
      cookieOf: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: session }),
      /** The number of the consent, counted from the newest. */
      age: fc.constantFrom(0, 0, 0, 1),
      /** The granted pages; null for a refusal. */
      granted: fc.constantFrom(null, [], [0], [1], [0, 1], [0, 1, 2], [1, 2]),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('choose' as const), session, page: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), session }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 9, 10) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disconnect' as const), account: fc.nat(1) }) },
);

interface Begun {
  readonly by: number;
  readonly at: number;
  readonly secret: string;
  readonly state: string;
  isUsed: boolean;
}

/** The expected state. */
class Model {
  readonly begun: Begun[] = [];
  readonly choices = new Map<number, { until: number; pages: readonly number[] }>();
  /** The connected page by account; `erasing` after it was disconnected. */
  readonly connected = new Map<number, number | 'erasing'>();
  /** The sessions that have ended; requests may have been admitted before that. */
  readonly ended = new Set<number>();

  /** The reason against connecting the page; undefined if there is none. */
  refusal(account: number, page: number): string | undefined {
    const current = this.connected.get(account);
    if (current === 'erasing') return 'erasing';
    if (current !== undefined && current !== page) return 'other-page';
    return this.connected.get(1 - account) === page ? 'other-account' : undefined;
  }

  connect(by: number, page: number): string {
    const account = accountsOfSessions[by] ?? 0;
    const refused = this.refusal(account, page);
    // The owner of the page is checked as late as the session's existence.
    if (this.ended.has(by) && (refused === undefined || refused === 'other-account')) return 'logged out';
    if (refused === undefined) this.connected.set(account, page);
    return refused ?? 'connected';
  }

  return(
    by: number,
    consent: Begun | undefined,
    isWhole: boolean,
    granted: readonly number[] | null,
    now: number,
  ): string {
    const newest = this.begun.findLast((one) => one.by === by);
    const isLive = consent !== undefined && consent === newest && !consent.isUsed && now < consent.at + 10 * minuteMs;
    if (!isLive || !isWhole) return 'expired';
    consent.isUsed = true;
    if (granted === null) return 'canceled';
    this.choices.delete(by);
    const account = accountsOfSessions[by] ?? 0;
    const [first, ...more] = granted;
    if (first === undefined) return 'no-page';
    if (more.length === 0) return this.connect(by, first);
    const current = this.connected.get(account);
    if (current === 'erasing') return 'erasing';
    if (current !== undefined) return granted.includes(current) ? this.connect(by, current) : 'other-page';
    this.choices.set(by, { until: now + 10 * minuteMs, pages: granted });
    return 'choose';
  }

  choose(by: number, page: number, now: number): string {
    const choice = this.choices.get(by);
    if (!choice || now >= choice.until || !choice.pages.includes(page)) return 'missing';
    const outcome = this.connect(by, page);
    if (outcome === 'connected') this.choices.delete(by);
    return outcome;
  }
}

async function world() {
  const clock = stillClock();
  const network = modelNetwork(() => clock.now());
  const [accounts, pages] = [2, 3].map((count) => Array.from({ length: count }, () => testIds.next()));
  for (const page of pages ?? []) network.addPage(page);
  const pageOf = (index: number) => pages?.[index] ?? '';
  const needs: ConsentNeeds = {
    clock,
    connections: connectionStore(database.table),
    inboxQueue: { send: async () => undefined },
    logger: new RecordingLogger(),
    secretBox: secretBoxOf({ settings: settingsOf({ [settingVariables.credentialsKey]: join(folder, 'key') }) }),
    socialLogin: {
      authorizeUrl: (_, { state }) => state,
      // A code contains the pages that it grants, so that only the consents' own rules are tested.
      pagesOf: async (_, { code }) =>
        (JSON.parse(code) as number[]).map(pageOf).map((pageId) => ({
          page: { pageId, name: pageId },
          accessToken: tokenOf(pageId),
        })),
    },
    socialNetwork: network,
    table: database.table,
  };
  const accountOf = (index: number) => accounts?.[index] ?? '';
  const source = { clock, ids: testIds, settings: { dashboardUrl }, table: database.table };
  const sessions = await Promise.all(accountsOfSessions.map((account) => giveSession(source, accountOf(account))));
  const ownerOf = (by: number) => ({
    accountId: accountOf(accountsOfSessions[by] ?? 0),
    digest: sessions[by]?.digest ?? '',
    channel: channel as 'facebook',
  });
  return { clock, needs, pageOf, accountOf, ownerOf };
}

const outcomeOfError = (error: unknown): string =>
  error instanceof Rejection && error.kind === 'unauthenticated'
    ? 'logged out'
    : (connectionProblemOf(error)?.outcome ?? String(error));

test('only pages that a session’s newest consent grants can be connected, only before it expires, and only once', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }), async (steps) => {
      const model = new Model();
      const { clock, needs, pageOf, accountOf, ownerOf } = await world();
      const run = async (one: (typeof steps)[number]): Promise<void> => {
        if (one.do === 'wait') clock.advance(one.minutes * minuteMs);
        if (one.do === 'begin') {
          const owner = ownerOf(one.session);
          const page = { channel, network: 'sandbox' } as const;
          const { url: state, secret } = await requestConsent({ ...needs, ids: testIds }, owner, page, dashboardUrl);
          model.begun.push({ by: one.session, at: clock.now(), secret, state, isUsed: false });
        }
        if (one.do === 'return') {
          const begunBy = (by: number | null) =>
            model.begun.filter((begun) => begun.by === (by ?? one.session)).at(-1 - one.age);
          const [consent, other] = [begunBy(one.stateOf), begunBy(one.cookieOf)];
          const callback = one.granted
            ? { code: JSON.stringify(one.granted), error: undefined }
            : { code: undefined, error: 'access_denied' };
          const given = { ...callback, state: consent?.state, secret: other?.secret };
          const completing = completeConsent(needs, ownerOf(one.session), given, dashboardUrl);
          const outcome = await completing.then((done) => done.outcome, outcomeOfError);
          expect(outcome).toBe(model.return(one.session, consent, consent === other, one.granted, clock.now()));
          outcomes.add(outcome);
        }
        if (one.do === 'choose') {
          const outcome = await choosePage(needs, ownerOf(one.session), pageOf(one.page)).then(
            (isChosen) => (isChosen ? 'connected' : 'missing'),
            outcomeOfError,
          );
          expect(outcome).toBe(model.choose(one.session, one.page, clock.now()));
          outcomes.add(`choice: ${outcome}`);
        }
        if (one.do === 'end') {
          await endIfLive(database.table, ownerOf(one.session).digest, clock.now());
          model.ended.add(one.session);
        }
        if (one.do === 'disconnect') {
          await disconnectPage(needs, { accountId: accountOf(one.account), channel });
          if (model.connected.has(one.account)) model.connected.set(one.account, 'erasing');
        }
      };
      for (const one of steps) {
        await run(one);
        for (const account of [0, 1]) {
          const found = await needs.connections.find({ accountId: accountOf(account), channel });
          const expected = model.connected.get(account);
          const stood = found?.state === 'erasing' ? 'erasing' : found?.pageId;
          expect(stood).toBe(typeof expected === 'number' ? pageOf(expected) : expected);
        }
      }
    }),
    modelRuns(40),
  );
  // All of these outcomes must have occurred: otherwise the property would hold trivially.
  expect([...outcomes]).toEqual(
    expect.arrayContaining(['connected', 'expired', 'choose', 'canceled', 'no-page', 'logged out', 'choice: missing']),
  );
});
