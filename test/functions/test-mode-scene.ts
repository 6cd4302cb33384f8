/** A live and a test token of the same account, in a service whose time passes only when the test says so. */
import { afterEach, beforeEach } from 'vitest';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { eventually } from '../support/eventually.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { type Call, serviceInTests, type TestAccount } from '../support/test-service.ts';

type Host = Awaited<ReturnType<typeof serviceInTests>>;

// Assigned by each test file, because files in one process share this module.
export let clock: ReturnType<typeof stillClock>;
export let host: Host;
export let context: Host['service']['context'];
export let live: TestAccount;
export let tests: TestAccount;

export async function startTestModeScene(): Promise<void> {
  clock = stillClock();
  host = await serviceInTests({ clock, hasIdentity: true, watchesEngines: true });
  context = host.service.context;
  beforeEach(async () => {
    live = await host.account({ credits: 50 });
    const accountId = testAccountOf(live.accountId);
    tests = { accountId, ...(await host.token(accountId)) };
  });
  afterEach(() => host.audit());
}

type Id = Parameters<Host['call']>[0];
export const data = async (id: Id, { token }: TestAccount, call: Call = {}): Promise<Record<string, unknown>> =>
  (await host.call(id, { token, ...call })).body.data as Record<string, unknown>;

export const history = async (of: TestAccount) =>
  (await data('listCreditHistory', of)) as { balance: number; history: { amount: number; reason: string }[] };

export const amounts = async (of: TestAccount) =>
  (await history(of)).history.map(({ amount, reason }) => [amount, reason]);

export const taskIds = async (of: TestAccount) =>
  ((await data('listTasks', of)).tasks as { id: string }[]).map(({ id }) => id);

export const speak = (of: TestAccount, text: string, headers: Call['headers'] = {}) =>
  host.call('generateVoice', { token: of.token, body: { text, voice: 'sarah' }, headers });

/** Advances the clock until the task has ended; the clock advances nowhere else. */
export const ended = async (taskId: string) => {
  await eventually(`the end of task ${taskId}`, async () => {
    clock.advance(1000);
    return (await context.tasks.find(taskId))?.endedAt;
  });
  return host.task(tests.token, taskId);
};
