/** Operators' tasks on a deployed stage, with the commands in docs/operator-tasks.md and docs/alarms.md. */
import { beforeAll, describe, expect, test } from 'vitest';
import { runTool } from '../infra/cli/run-tool.ts';
import { eventually } from '../support/eventually.ts';
import { type BackEnd, newBackEnd } from './back-end.ts';
import { isCapable, operate, target } from './target.ts';

let ana: BackEnd;

beforeAll(async () => {
  ana = await newBackEnd(10);
});

test('credits that an operator grants are available at once and appear in the ledger', async () => {
  await operate('credits', 'grant', '--account', ana.accountId, '--amount', '5', '--kind', 'bonus');
  expect(await ana.ledger()).toEqual([
    [5, 'bonus'],
    [10, 'bonus'],
  ]);
});

test.runIf(isCapable('offline-engine'))('an operator can fail a stuck task, which is refunded', async () => {
  const before = await ana.balance();
  const taskId = await ana.speak({ behavior: 'hang' });
  await operate('task', 'fail', '--task', taskId);
  expect(await operate('task', 'show', '--task', taskId)).toMatchObject({ status: 'failed', accountId: ana.accountId });
  expect(await ana.balance()).toBe(before);
});

describe.runIf(isCapable('deployed'))('on a deployed stage only,', () => {
  test('the log line of a request can be found by its id, and names the operation and the task', async () => {
    const { headers, data } = await ana.api.generateVoice({ body: { text: 'Oi.', voice: 'bill' } });
    const id = headers.get('x-request-id') ?? '';
    // Other lines about the same request may be logged before this one.
    const line = await eventually(
      'the log line of the request',
      async () => {
        const { lines } = await operate<{ lines: { message: string }[] }>('request', 'show', '--id', id);
        return lines.find(({ message }) => message.includes(data.taskId) && message.includes('generateVoice'));
      },
      { patienceMs: 90_000, everyMs: 1000 },
    );
    expect(line.message).toContain(id);
  });

  test('there are no dead letters to redrive', async () => {
    // The test of the operators' pages moves a dead letter of another queue at the same time.
    expect(await operate('queue', 'redrive', '--queue', 'inbox')).toMatchObject({ moved: 0 });
  });

  test('the command that rotates webhook keys explains that they are in KMS', async () => {
    const { args, environment } = target.admin;
    const { exitCode, stderr } = await runTool(['webhook', 'rotate-key', '--reason', 'try it', ...args], environment);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('webhookSigningKeys');
  });
});
