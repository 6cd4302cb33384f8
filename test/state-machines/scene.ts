/**
 * A service with an account of ten credits for each test, which converts one sentence to speech and checks the outcome.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type * as contracts from '../../shared/contracts/task.ts';
import { eventually } from '../support/eventually.ts';
import { type TestAccount, type TestService, type TestServiceOptions, testService } from '../support/test-service.ts';

/** The cost of the sentence. */
export const cost = 1;

export interface Scene {
  readonly host: TestService;
  /** The account of the current test. */
  readonly account: TestAccount;
  /** Must be called before each test. */
  begin(): Promise<void>;
  /** Creates the task and returns its id. */
  speak(): Promise<string>;
  /** Checks what all ends of a task have in common. */
  expectEnd(taskId: string, status: 'completed' | 'failed', code?: string): Promise<contracts.Task>;
  /** Checks that nothing changes a task after its end. */
  expectStands(taskId: string, ended: contracts.Task): Promise<void>;
}

async function expectEnd(
  { host, account }: Pick<Scene, 'host' | 'account'>,
  ...[taskId, status, code]: Parameters<Scene['expectEnd']>
): Promise<contracts.Task> {
  const task = await host.ended(account.token, taskId);
  expect(task).toMatchObject({ id: taskId, status, creditsUsed: cost });
  expect(task.error?.code).toBe(code);
  expect(task.creditsRefunded).toBe(status === 'failed' ? cost : 0);
  expect(task.progress === 100).toBe(status === 'completed');
  await eventually('the delivery', async () => {
    const { webhook } = await host.task(account.token, taskId);
    return webhook?.status === 'delivered' ? webhook : undefined;
  });
  expect(host.receiver.of(taskId)).toHaveLength(1);
  expect(JSON.parse(host.receiver.of(taskId)[0]?.body ?? '')).toMatchObject({ event: `task.${status}`, status });
  const stored = await host.service.context.accounts.find(account.accountId);
  expect(stored?.balance).toBe(status === 'failed' ? 10 : 10 - cost);
  expect(stored?.openTasks).toEqual([]);
  await host.audit();
  return task;
}

export async function startScene(options: Pick<TestServiceOptions, 'timeoutPace'> = {}): Promise<Scene> {
  const host = await testService(options);
  let account = await host.account({ credits: 10 });
  return {
    host,
    get account() {
      return account;
    },
    async begin() {
      host.engine.play({});
      account = await host.account({ credits: 10 });
    },
    speak: () => host.speak(account.token, { text: 'Uma frase.', voice: 'brian', callbackUrl: host.receiver.url }),
    expectEnd: (...end) => expectEnd({ host, account }, ...end),
    async expectStands(taskId, ended) {
      await host.service.invoke('sweepTasks', { everything: true });
      await sleep(300);
      expect(await host.task(account.token, taskId)).toMatchObject({ ...ended, webhook: { status: 'delivered' } });
      expect(host.receiver.of(taskId)).toHaveLength(1);
      await host.audit();
    },
  };
}
