/** Every command of the page for support is run, in its order, on a service that has what customers ask about. */
import { afterAll, expect, test } from 'vitest';
import { insertCase } from '../../shared/domain/billing/cases/case-store.ts';
import { subscriptionScene } from '../functions/subscription-scene.ts';
import { startOperatedService } from '../infra/cli/operated-service.ts';
import { codeIn, pageAt } from './pages.ts';

const service = await startOperatedService();
afterAll(() => service.close());

const newAccount = ['account', 'create', '--name', 'Ana', '--email', 'ana@example.com', '--credits', '100'];
const { accountId } = await service.done<{ accountId: string }>(...newAccount);
const newToken = ['token', 'create', '--account', accountId, '--name', 'server', '--scopes', 'all'];
const { token, tokenId } = await service.done<{ token: string; tokenId: string }>(...newToken);
await service.done('connection', 'add', '--account', accountId, '--network', 'sandbox');

const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${service.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const ordered = (await (await post('credits', { packId: 'pack-100' })).json()) as { data: { id: string } };
const response = await post('generate/voice', { text: 'Olá', voice: 'sarah' }, { 'x-client-reference': 'Order 7' });
const ended = await service.newTask(accountId, {
  callbackUrl: 'https://example.com/hook',
  webhookStatus: 'failed',
  webhookFrom: 1,
});
await service.done('task', 'fail', '--task', ended.taskId);
await service.context.tasks.settleWebhook(ended, 'failed');

const scene = subscriptionScene({ service }, { accountId });
const subscriptionId = await scene.subscribe();
await scene.pay(subscriptionId);

const order = await service.context.orders.findPack(ordered.data.id);
const caseId = `${ordered.data.id}.0123456789abcdef`;
const payment = { orderId: ordered.data.id, accountId, gateway: 'sandbox', paymentId: 'another', cents: 1 } as const;
const found = { ...payment, caseId, kind: 'second-payment', currency: 'BRL', createdAt: 0 } as const;
await service.context.table.transact([insertCase(found)]);

const values: Readonly<Record<string, string>> = {
  accountId,
  caseId,
  subscriptionId,
  tokenId,
  orderId: ordered.data.id,
  openTaskId: (await service.newTask(accountId)).taskId,
  paymentId: order?.chargeId ?? '',
  requestId: response.headers.get('x-request-id') ?? '',
  taskId: ended.taskId,
};

const commands = codeIn(pageAt('docs/support.md'), ['sh'])
  .flatMap((code) => code.split('\n'))
  .flatMap((line) => /^npm run (?:--silent )?admin -- (.+)$/.exec(line)?.[1] ?? []);

const filled = (command: string): string =>
  command
    .replaceAll(/<(\w+)>/g, (_, name: string) => values[name] ?? `no value for ${name}`)
    .replace('1a2b', token.slice(-4))
    .replace('Loja da Ana', 'Ana');

const wordsOf = (command: string): string[] =>
  [...command.replace(/ [<>] \S+$/, '').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** A command that only a deployed stage has; the tests of such stages run it. */
const isForStages = (command: string): boolean => command.includes(' --stage ');

test('the page for support has the commands for at least twenty questions', () => {
  const questions = pageAt('docs/support.md').match(/\*\*[^*]+[.?]\*\*/g) ?? [];
  expect(questions.length).toBeGreaterThanOrEqual(20);
  expect(commands.length).toBeGreaterThanOrEqual(questions.length);
});

test.each(commands.filter((command) => !isForStages(command)))('support can run “%s”', async (command) => {
  const { exitCode, stderr, stdout } = await service.admin(wordsOf(filled(command)), `${token}\n`);
  expect({ exitCode, stderr }).toEqual({
    exitCode: command.startsWith('engine check') ? expect.any(Number) : 0,
    stderr: '',
  });
  if (/^find (?!'Loja)/.test(command)) expect(stdout).toContain(accountId);
});
