/** Failures by an account's own fault cost the operator money if the engine charges: they block an account for a day. */
import { expect, test } from 'vitest';
import { chargedFailuresPerDay } from '../../shared/contracts/limits.ts';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { updateAccount } from '../../shared/domain/accounts/update-account.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { dayMs, midnightBefore } from '../../shared/platform/clock.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { serviceInTests } from '../support/test-service.ts';

interface Output {
  readonly url: string;
}

const balance = 100;

const clock = stillClock();
// It is 18:00, so six hours of the day are left.
clock.advance(dayMs - (clock.now() % dayMs) + dayMs * 0.75);
const host = await serviceInTests({ clock });
const account = await host.account({ credits: balance });

const rejected = { status: 422, body: { error: { code: 'CONTENT_REJECTED', message: 'no' } } };

const setPrice = async (price: object | undefined) => {
  await host.service.context.catalog.change('engine-prices', { 'offline/engine': price });
  // The catalog is cached for half a minute.
  clock.advance(60_000);
};

async function reject(): Promise<void> {
  host.engine.play({ submit: () => rejected });
  const ended = await host.ended(account.token, await host.speak(account.token));
  expect(ended).toMatchObject({ error: { code: 'CONTENT_REJECTED' }, creditsRefunded: ended.creditsUsed });
}

const request = (headers: Record<string, string> = {}) =>
  host.call('generateVoice', { token: account.token, body: { text: 'Uma frase.', voice: 'sarah' }, headers });

test('after twenty rejected tasks that cost the operator money, an account creates none at such engines until midnight', async () => {
  // Of a free engine, no failure counts.
  await reject();
  expect(await host.service.context.accounts.find(account.accountId)).not.toHaveProperty('chargedFailures');

  await setPrice({ per: 'job', micros: 70_000, charged: ['rejected'] });
  const values = { ':failures': { day: midnightBefore(clock.now()), count: chargedFailuresPerDay - 1 } };
  const earlier = updateAccount(account.accountId, [{ set: ['chargedFailures = :failures'], values }]);
  await host.service.context.table.transact([earlier]);
  await reject();

  for (const headers of [{}, { 'x-dry-run': 'true' }]) {
    const { status, body, headers: received } = await request(headers);
    expect([status, body.error?.code]).toEqual([429, 'RATE_LIMITED']);
    expect(body.error?.message).toMatch(
      /^20 tasks of the account failed today \(UTC\) because of their content or inputs/,
    );
    expect(received['retry-after']).toBe(String((midnightBefore(clock.now()) + dayMs - clock.now()) / 1000));
  }
  expect(await host.standing(account.accountId)).toEqual({ balance, tasks: 2 });
  const { token } = await host.token(testAccountOf(account.accountId));
  await host.speak(token);

  await setPrice(undefined);
  await reject();
  await setPrice({ per: 'job', micros: 70_000, charged: [] });
  expect((await request()).status).toBe(429);
  clock.advance(dayMs / 4);
  expect((await request()).status).toBe(202);
  await host.audit();
});

type Change = (outputs: readonly Output[]) => readonly Output[];

/** Requests, with what an engine makes of them instead of what was asked for. */
const wrong: readonly [OperationId, body: object, Change, moreSeconds?: number][] = [
  ['generateImage', { numImages: 2 }, (outputs) => outputs.slice(1)],
  ['generateImage', {}, (outputs) => outputs.map((one) => ({ ...one, url: one.url.replace('.png', '.mp3') }))],
  ['generateCreativeVideo', { durationSec: 5 }, (outputs) => outputs, 5],
];

test('a task fails, is refunded and counts, if its engine charges for fewer, other or longer results than were asked for', async () => {
  await setPrice({ per: 'job', micros: 70_000, charged: [] });
  const { accountId, token } = await host.account();
  for (const [operationId, options, change, moreSeconds] of wrong) {
    host.engine.play({
      submit: (job) => {
        const report = host.engine.done(job, moreSeconds) as { readonly outputs: readonly Output[] };
        return { status: 202, body: { ...report, outputs: change(report.outputs) } };
      },
    });
    const created = await host.call(operationId, { token, body: { prompt: 'Uma caneca.', ...options } });
    const ended = await host.ended(token, (created.body.data as { taskId: string }).taskId);
    expect(ended).toMatchObject({ error: { code: 'PROVIDER_ERROR' }, creditsRefunded: ended.creditsUsed });
  }
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  await host.ended(token, await host.speak(token));
  expect((await host.service.context.accounts.find(accountId))?.chargedFailures?.count).toBe(wrong.length);
  await host.audit();
});
