/** Accounts that use the same names see only their own resources. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { eventually } from '../support/eventually.ts';
import { fakeSubscriptionGateway } from '../support/fake-subscription-gateway.ts';
import { giveInbox } from '../support/given-inbox.ts';
import { giveOrder } from '../support/given-order.ts';
import { giveSubscription } from '../support/given-subscription.ts';
import type { ScriptedJob } from '../support/scripted-engine.ts';
import { giveProduct } from '../support/studio-cast.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

let ana: TestAccount;
let bia: TestAccount;

const host = await serviceInTests();
beforeEach(async () => {
  host.engine.play({});
  [ana, bia] = [await host.account({ planId: 'business' }), await host.account({ planId: 'business' })];
});

const body = () => ({ text: 'A mesma frase.', voice: 'sarah', callbackUrl: host.receiver.url });
const named = { 'idempotency-key': 'the same key', 'x-client-reference': 'the same reference' };

const speak = async ({ token }: TestAccount) => {
  const { body: response } = await host.call('generateVoice', { token, body: body(), headers: named });
  return response.data as { taskId: string };
};

const read = async <Data>({ token }: TestAccount, operationId: OperationId, query = ''): Promise<Data> =>
  (await host.call(operationId, { token, query })).body.data as Data;

const idsOf = async (account: TestAccount, query: string): Promise<string[]> =>
  (await read<{ tasks: { id: string }[] }>(account, 'listTasks', query)).tasks.map(({ id }) => id);

test.for(['', 'taskType=voice', 'status=failed', 'status=failed&taskType=voice'])(
  'the same client reference in two accounts finds each account’s own task, also with %j',
  async (filters) => {
    const own = [[ana, await speak(ana)] as const, [bia, await speak(bia)] as const];
    for (const [{ token }, { taskId }] of own) await host.call('cancelTask', { token, params: { taskId } });
    const reference = `clientReference=${encodeURIComponent(named['x-client-reference'])}`;
    for (const [account, { taskId }] of own) {
      expect(await idsOf(account, filters)).toEqual([taskId]);
      expect(await idsOf(account, `${reference}&${filters}`)).toEqual([taskId]);
    }
  },
);

test('if two accounts use one webhook URL, each webhook has its own account’s token, and an account sees only its own', async () => {
  const created = [[ana, await speak(ana)] as const, [bia, await speak(bia)] as const];
  for (const [{ token }, { taskId }] of created) await host.call('cancelTask', { token, params: { taskId } });
  for (const [{ token, webhookToken }, { taskId }] of created) {
    const { headers } = await eventually('the webhook', () => host.receiver.of(taskId)[0]);
    expect(headers['x-webhook-token']).toBe(webhookToken);
    const delivered = async () => {
      const { webhook } = await host.task(token, taskId);
      return webhook?.status === 'delivered' ? webhook : undefined;
    };
    expect((await eventually('the recorded delivery', delivered, { everyMs: 500 })).attempts).toHaveLength(1);
  }
  expect(ana.webhookToken).not.toBe(bia.webhookToken);
});

const readings = (Object.values(registry) as OperationContract[])
  .filter(({ method, params }) => method === 'GET' && !params)
  .map(({ operationId }) => operationId as OperationId);

/** Resources that need a token to read, but are the same for every account. */
const commonToAll = 'getStudioCatalog';

test.for(readings.map((operationId) => [operationId] as const))(
  '%s reveals nothing about another account',
  async ([operationId]) => {
    const secret = host.service.context.ids.secret(8);
    const request = { text: `Segredo ${secret}.`, voice: 'bill', callbackUrl: `${host.receiver.url}?${secret}` };
    await giveProduct(host.service.context, { accountId: ana.accountId, title: `Produto ${secret}` });
    await giveOrder(host.service.context, ana.accountId, { packName: secret });
    const gateway = fakeSubscriptionGateway(host.service.context.clock).seen('responds');
    await giveSubscription(host.service.context, gateway, ana.accountId);
    const { participantId } = await giveInbox(host, ana.accountId);
    await giveInbox(host, bia.accountId);
    const taskId = await host.speak(ana.token, request, { 'x-client-reference': `reference ${secret}` });
    const ask = ({ token }: TestAccount) => host.call(operationId, { token, query: 'limit=100' });
    const [hers, { status, text }] = [await ask(ana), await ask(bia)];
    expect(status).toBe(200);
    if (registry[operationId].scopes.length > 0 && operationId !== commonToAll) expect(text).not.toBe(hers.text);
    for (const word of [secret, taskId, participantId, ana.accountId, ana.tokenId]) expect(text).not.toContain(word);
  },
);

describe('the engine callback URL of one account’s task', () => {
  const jobOf = async (account: TestAccount): Promise<ScriptedJob> =>
    host.engine.jobOf(await host.speak(account.token));

  /** The response to a correctly signed callback. */
  const post = (job: ScriptedJob, callbackUrl: string) => host.engine.callBack({ ...job, callbackUrl }, failed(job));
  const failed = (job: ScriptedJob) => host.engine.report(job, 'failed', { error: { code: 'PROVIDER_ERROR' } });

  test('is not valid for another account’s task, however parts of the two URLs are combined', async () => {
    const [hers, theirs] = [await jobOf(ana), await jobOf(bia)];
    const [address = '', other = ''] = [hers.callbackUrl, theirs.callbackUrl];
    const mixed = [
      address.replace(hers.id, theirs.id),
      other.replace(theirs.id, hers.id),
      address.replace('/offline/', '/other/'),
      address.slice(0, address.lastIndexOf('.')),
      `${address}${other.slice(other.lastIndexOf('.'))}`,
      address.replace(hers.id, host.service.context.ids.next()),
    ];
    for (const url of mixed) expect(await post(hers, url), url).toBe(404);
    for (const [{ token }, { id }] of [[ana, hers] as const, [bia, theirs] as const]) {
      expect(await host.task(token, id)).not.toHaveProperty('error');
    }
    expect(await post(theirs, other)).toBe(200);
    expect(await host.ended(bia.token, theirs.id)).toMatchObject({ status: 'failed' });
    expect(await host.task(ana.token, hers.id)).not.toHaveProperty('error');
  });
});
