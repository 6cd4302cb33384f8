/** An account that has used everything, with its own canary in every text that it and external parties sent. */
import { expect } from 'vitest';
import type { SandboxPage } from '../../../fakes/meta/meta-records.ts';
import type { Channel } from '../../../shared/contracts/channels.ts';
import { type DashboardOperationId, dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { features } from '../../../shared/contracts/features.ts';
import type { RequestContract } from '../../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../../shared/contracts/registry.ts';
import { inboxIdOf } from '../../../shared/domain/inbox-keys.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import { subscriptionScene } from '../../functions/subscription-scene.ts';
import { connectPages } from '../../support/connected-pages.ts';
import { eventually } from '../../support/eventually.ts';
import { exampleBody } from '../../support/example-body.ts';
import { givePartsUpload } from '../../support/given-parts-upload.ts';
import { callAsPage, giveSession } from '../../support/given-session.ts';
import { inboxSettled } from '../../support/inbox-settled.ts';
import { giveExampleProduct } from '../../support/studio-cast.ts';
import type { Call, TestResponse, TestService } from '../../support/test-service.ts';
import { type Distort, replacingTexts } from '../extremes/extreme-values.ts';
import { logIn, type Parties, sources } from '../extremes/inbound-sources.ts';
import type { PlantedAccount } from '../extremes/planted-account.ts';
import { plantedBody } from './planted-bodies.ts';

export interface CanaryAccount {
  readonly accountId: string;
  /** A session of the owner. */
  readonly cookie: string;
  readonly scene: PlantedAccount;
}

/** Properties whose values have a meaning in a protocol, so that a document with other values is another one, or none. */
const coded =
  /(^|\.)(object|channel|accessToken|status\w*|type|platform|contentType|outputs\[\d+\]\.url|item|verb|field|event|currency\w*|mode|method|permalink\w*|media_\w+|product_type|token_type|access_token|livemode|qr_code\w*|ticket_url|created_\w*|api_version|billing_\w+|collection_method|interval|usage_type|scopes?|tasks|signed_request|code)(\[\d+\])?$/;

const address = /(^|[._])url$/;

/** Puts a canary in every text of a document that an external party sends. */
export const withCanary = (canary: string): Distort =>
  replacingTexts((path) => {
    if (coded.test(path)) return undefined;
    return address.test(path) ? `https://files.example/${canary}` : canary;
  });

/** Signs up at the identity provider, whose claims have the canary, and returns the new account. */
async function signUp(host: TestService, parties: Parties, canary: string) {
  const { clock, context } = { clock: host.clock, context: host.service.context };
  const user = host.service.identity?.users.fromProvider(canary, { email: `${canary}@example.com`, name: canary });
  if (!user) throw new Error('the service has no identity provider');
  const { subject, username } = user;
  const cookie = await logIn({ host }, parties, {
    sub: subject,
    'cognito:username': username,
    auth_time: Math.floor(clock.now() / 1000),
    origin_jti: canary,
    email: `${canary}@example.com`,
    email_verified: true,
    name: canary,
    identities: [{ providerName: canary }],
  });
  const { body } = await callAsPage(host.url, 'getSession', { cookie: cookie ?? '' });
  const { accountId } = body.data as { accountId: string };
  const { ids } = context;
  await context.accounts.post({ id: ids.next(), accountId, amount: 100_000, reason: 'adjustment', at: clock.now() });
  await context.table.update({
    Key: accountKey(accountId),
    UpdateExpression: 'SET features = :features, planId = :plan, limitsLifted = :lifted',
    ExpressionAttributeValues: {
      ':features': features,
      ':plan': 'business',
      // The words of an operator about the account.
      ':lifted': { at: clock.now(), reason: canary },
    },
  });
  return { accountId, subject, username };
}

/** Sends a request until only texts that the service accepts have the canary; returns which these are. */
async function accepted(
  contract: RequestContract,
  example: Readonly<Record<string, unknown>>,
  canary: string,
  send: (body: object) => Promise<TestResponse>,
): Promise<readonly string[]> {
  const without = new Set<string>();
  for (;;) {
    const { body, planted } = contract.body
      ? plantedBody(contract.body, example, canary, without)
      : { body: {}, planted: [] };
    const { status, text } = await send(body);
    if (status < 300 || (!contract.body && status === 404))
      return planted.map((place) => `${contract.operationId} ${place}`);
    const { message } = (JSON.parse(text) as { error: { message: string } }).error;
    const byLength = planted.toSorted((one, other) => other.length - one.length);
    const refused = byLength.find((place) => message.includes(place)) ?? planted[0];
    if (refused === undefined) throw new Error(`${contract.operationId} was rejected with ${status}: ${message}`);
    without.add(refused);
  }
}

/** Operations that end what others need. */
const last: readonly OperationId[] = ['deleteTask', 'cancelTask', 'redeliverWebhook'];
const ofClosing: readonly string[] = [
  'closeAccount',
  'reopenAccount',
  'chooseConnection',
  'removeConnection',
  'openExport',
  'logOut',
];

/** Every operation of the API and of the dashboard that has a body, and every other one of the API. */
async function callEverything(
  { account, cookie, host }: PlantedAccount,
  inbox: Readonly<Record<string, string>>,
  canary: string,
): Promise<readonly string[]> {
  const { context } = host.service;
  const { accountId } = account;
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  await giveExampleProduct(context, accountId, host.engine.inputUrls.image);
  const callbackUrl = `${host.receiver.url}/${canary}`;
  const speak = () => host.speak(account.token, { text: canary, voice: 'bill', callbackUrl });
  const params: Record<string, string> & { taskId: string } = {
    taskId: await speak(),
    sha256: '5e'.repeat(32),
    ...inbox,
  };
  await host.ended(account.token, params.taskId);
  const planted: string[] = [];
  let [count, token] = [0, account.token];
  const send = async (operationId: OperationId, call: Call) => {
    count += 1;
    if (count % 40 === 0) token = (await host.token(accountId)).token;
    const headers = {
      'x-client-reference': canary,
      'idempotency-key': `${canary}-${count}`,
      'user-agent': canary,
      'x-canary': canary,
    };
    const response = await host.call(operationId, { ...call, token, headers });
    const { taskId, tasks } = (response.body.data ?? {}) as { taskId?: string; tasks?: { taskId: string }[] };
    for (const id of [taskId, ...(tasks ?? []).map((one) => one.taskId)]) if (id !== undefined) tasksMade.push(id);
    return response;
  };
  const tasksMade: string[] = [];
  const ids = Object.keys(registry) as OperationId[];
  for (const operationId of ids.filter((id) => !last.includes(id))) {
    const contract: RequestContract = registry[operationId];
    const upload = operationId === 'completeFile' ? await givePartsUpload(context, accountId) : undefined;
    const [order] = await context.orders.list(accountId, {}, { limit: 1, offset: 0 });
    const own = { ...params, orderId: order?.orderId ?? '', ...(upload && { fileId: upload.fileId }) };
    const query = operationId === 'listTasks' ? `clientReference=${canary}` : undefined;
    const example = {
      ...exampleBody(operationId, host.engine.inputUrls),
      ...(upload && { etags: upload.etags }),
      ...(operationId === 'replyToComment' && { commentId: inbox.commentId }),
    };
    const call = (body: object) =>
      send(operationId, { params: own, ...(contract.body && { body }), ...(query !== undefined && { query }) });
    planted.push(...(await accepted(contract, example, canary, call)));
  }
  for (const taskId of tasksMade)
    await eventually(`the end of ${taskId}`, async () => (await context.tasks.find(taskId))?.endedAt);
  for (const [operationId, contract] of Object.entries(dashboardContracts) as [
    DashboardOperationId,
    RequestContract,
  ][]) {
    if (!contract.body || ofClosing.includes(operationId)) continue;
    const example = contract.example.body ?? {};
    const tokenId = { tokenId: account.tokenId };
    const call = (body: object) => callAsPage(host.url, operationId, { cookie, body, params: tokenId });
    planted.push(...(await accepted(contract, example, canary, call)));
  }
  return planted;
}

/** Signs up, connects pages, uses every operation, and receives everything that external parties send. */
export async function canaryAccount(
  host: TestService,
  parties: Parties,
  canary: string,
): Promise<CanaryAccount & { readonly planted: readonly string[] }> {
  const { context, social } = host.service;
  const { accountId, ...user } = await signUp(host, parties, canary);
  const plant = withCanary(canary);
  const by = { kind: 'social', provider: canary, userAgent: canary, ...user } as const;
  const { cookie } = await giveSession(context, accountId, by);
  const { pages } = await parties.social.distorting(plant, [], () => connectPages(host, accountId));
  const byChannel = Object.fromEntries(pages.map((page) => [page.channel, page])) as Record<Channel, SandboxPage>;
  const { facebook } = byChannel;
  const [person, post] = [social.world.people(facebook)[0], social.world.posts(facebook)[0]];
  const [comment] = post ? social.world.comments(post.id) : [];
  if (!person || !post || !comment) throw new Error('the shop is incomplete');
  const of = { channel: 'facebook', pageId: facebook.id } as const;
  const inbox = {
    conversationId: inboxIdOf(of, person.id),
    postId: inboxIdOf(of, post.id),
    commentId: inboxIdOf(of, comment.id),
  };
  const account = { accountId, ...(await host.token(accountId)) };
  const scene: PlantedAccount = {
    host,
    account,
    cookie,
    inbox,
    pages: byChannel,
    planted: new Map(),
    moving: new Set(),
  };
  const planted = await callEverything(scene, inbox, canary);
  for (const name of ['socialEvents', 'pixPayments', 'subscriptions', 'engineReports'] as const)
    await sources[name](scene, plant, parties);
  // Nothing that was read before is spared.
  await sources.socialReads(scene, (document) => plant(document), parties);
  const paying = subscriptionScene(host, account);
  await paying.pay(await paying.subscribe());
  await inboxSettled(context);
  expect(planted.length).toBeGreaterThan(40);
  return { accountId, cookie, scene, planted };
}
