/**
 * The accounts that send the cases: some that can pay, with enough tokens for all cases, and some whose requests are
 * rejected.
 */

import { ApiError, type Client, client } from '../../../client/client.ts';
import type { Service } from '../../../infra/local/host.ts';
import { requestsPerMinute, simultaneousTasks } from '../../../shared/contracts/limits.ts';
import { scopes as allScopes, type Scope } from '../../../shared/contracts/scopes.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { issueToken } from '../../../shared/domain/tokens/issue-token.ts';
import { tokenSecretBytes, tokenText } from '../../../shared/domain/tokens/token.ts';
import { webhookSecretsOf } from '../../../shared/platform/webhook-secrets.ts';
import { connectPages } from '../../support/connected-pages.ts';
import { eventually } from '../../support/eventually.ts';
import { givePartsUpload } from '../../support/given-parts-upload.ts';
import { sendUpload } from '../../support/send-upload.ts';
import { tinyPng } from '../../support/tiny-image.ts';

/** Ids of resources that belong together. */
type Scene = Readonly<Record<'mode' | 'productId' | 'hookId' | 'settingId' | 'avatarId', string>>;

/** The ids in an inbox, all of Facebook, because likes are not possible on Instagram. */
type Inbox = Readonly<Record<'conversationId' | 'messageId' | 'postId' | 'commentId', string>>;

type PartsUpload = Awaited<ReturnType<typeof givePartsUpload>>;

/** The data that is passed to fuzz_hooks.py and the tool. */
export interface Identities {
  /** The token with which the tool is configured: one of the first account that can pay. */
  readonly owner: string;
  /** Tokens that must not have access to the owner's data. */
  readonly stranger: string;
  /** The tokens of each account that can pay, by a name for the account. */
  readonly payers: Readonly<Record<string, readonly string[]>>;
  /** As many uploaded images of each payer as a product may have. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** The resources that Studio videos of each payer can refer to. */
  readonly scenes: Readonly<Record<string, Scene>>;
  /** Tokens whose requests are rejected, by the reason. */
  readonly rejected: Readonly<Record<string, string>>;
  /** The ids in the inboxes of each payer's connected pages. */
  readonly inboxes: Readonly<Record<string, Inbox>>;
  /** An upload in parts of each payer, which only needs to be completed. */
  readonly uploads: Readonly<Record<string, PartsUpload>>;
  /** An order of each payer. */
  readonly orders: Readonly<Record<string, string>>;
  /** The payer that each existing task belongs to. */
  readonly tasks: Readonly<Record<string, string>>;
  /** Tasks whose webhook was abandoned, so that it can be sent again. */
  readonly abandoned: readonly string[];
  /** The digest of a result of each payer. */
  readonly published: readonly string[];
}

export interface FuzzAccounts {
  readonly identities: Identities;
  /** Cancels every open task. */
  endTasks(): Promise<void>;
  /** Problems when no task is open: credits without a ledger row, slots without a task. */
  audit(): Promise<string[]>;
}

const payerNames = ['ana', 'bia', 'caio'];

/**
 * The number of tokens: each admits 60 requests a minute, so together they allow 120 per second, more than are
 * generated.
 */
const tokensPerPayer = 40;

const unending = '[offline:hang]';

/**
 * Real ids of tasks in every state. Few cases use one, in this order: several must find a task that can be canceled.
 */
const sentences = [unending, 'Bom dia. [offline:none]', unending, '[offline:fail]', unending, unending, unending];

function opener(service: Service) {
  const { context, url: baseUrl } = service;
  const accountIds: string[] = [];
  const needs = { ...context, webhookSecrets: webhookSecretsOf(context) };
  const account = async (credits: number): Promise<string> => {
    const { accountId } = await createAccount(context, {
      email: 'fuzz@example.com',
      name: 'Fuzz',
      credits,
      planId: 'business',
    });
    accountIds.push(accountId);
    return accountId;
  };
  const token = async (accountId: string, scopes: readonly Scope[] = allScopes): Promise<string> =>
    (await issueToken(needs, { accountId, name: 'fuzz', scopes })).token;
  return {
    service,
    accountIds,
    account,
    token,
    api: (bearer: string): Client => client({ baseUrl, token: bearer, maxRetries: 0 }),
  };
}

type Opener = ReturnType<typeof opener>;

const image = tinyPng(40, 30);
const filesPerPayer = 6;

async function uploaded({ api }: Opener, token: string): Promise<string> {
  const body = { contentType: 'image/png', bytes: image.length } as const;
  const created = (await api(token).createFile({ body })).data;
  await sendUpload(created, image);
  return created.fileId;
}

async function scene({ api }: Opener, token: string, fileId: string): Promise<Scene> {
  const { createStudioAvatar, createStudioProduct, getStudioCatalog } = api(token);
  const [product, avatar, { data: catalog }] = await Promise.all([
    createStudioProduct({ body: { productFileIds: [fileId], title: 'Caneca', description: 'De cerâmica.' } }),
    createStudioAvatar({ body: { name: 'Ana', avatarFileId: fileId } }),
    getStudioCatalog(),
  ]);
  const mode = catalog.modes.find(({ avatarPolicy }) => avatarPolicy === 'optional');
  return {
    mode: mode?.slug ?? '',
    productId: product.data.id,
    hookId: catalog.hooks[0]?.id ?? '',
    settingId: catalog.settings[0]?.id ?? '',
    avatarId: avatar.data.id,
  };
}

async function studio(opened: Opener, token: string): Promise<{ files: readonly string[]; scene: Scene }> {
  const files = await Promise.all(Array.from({ length: filesPerPayer }, () => uploaded(opened, token)));
  return { files, scene: await scene(opened, token, files[0] ?? '') };
}

async function speak({ api }: Opener, token: string, text: string): Promise<string> {
  const { data } = await api(token).generateVoice({ body: { text, voice: 'sarah' } });
  return data.taskId;
}

async function abandoned({ api, service }: Opener, token: string): Promise<string> {
  const { cancelTask, generateVoice } = api(token);
  const body = { text: unending, voice: 'sarah', callbackUrl: 'https://webhooks.example/fuzz' } as const;
  const { taskId } = (await generateVoice({ body })).data;
  await cancelTask({ params: { taskId } });
  const task = await service.context.tasks.find(taskId);
  if (!task) throw new Error('a canceled task is missing');
  await service.context.tasks.settleWebhook(task, 'failed');
  return taskId;
}

async function published(opened: Opener, token: string): Promise<string> {
  const taskId = await speak(opened, token, 'Boa noite. [offline:none]');
  const { sha256 } = await eventually(`the result of task ${taskId}`, async () => {
    const task = await opened.service.context.tasks.find(taskId);
    return task?.results?.[0];
  });
  if (sha256 === undefined) throw new Error('a result has no digest');
  return sha256;
}

async function inbox({ api, service }: Opener, accountId: string, token: string): Promise<Inbox> {
  await connectPages({ service }, accountId);
  const { listComments, listCommentedPosts, listConversations, listMessages } = api(token);
  const [{ data: talks }, { data: commented }] = await Promise.all([listConversations(), listCommentedPosts()]);
  const conversationId = talks.conversations.find(({ channel }) => channel === 'facebook')?.id;
  const postId = commented.posts.find(({ channel }) => channel === 'facebook')?.postId;
  if (!conversationId || !postId) throw new Error('the sandbox of Facebook has no conversation or no commented post');
  const [[message], [comment]] = await Promise.all([
    listMessages({ params: { conversationId } }).then(({ data }) => data.messages),
    listComments({ params: { postId } }).then(({ data }) => data.comments),
  ]);
  return { conversationId, messageId: message?.id ?? '', postId, commentId: comment?.id ?? '' };
}

async function payers(opened: Opener): Promise<Omit<Identities, 'rejected' | 'stranger'>> {
  const tokens: Record<string, readonly string[]> = {};
  const tasks: Record<string, string> = {};
  const orders: Record<string, string> = {};
  const uploads: Record<string, PartsUpload> = {};
  const files: Record<string, readonly string[]> = {};
  const scenes: Record<string, Scene> = {};
  const inboxes: Record<string, Inbox> = {};
  const [givenUp, digests]: [string[], string[]] = [[], []];
  let owner = '';
  for (const name of payerNames) {
    const accountId = await opened.account(1_000_000);
    tokens[name] = await Promise.all(Array.from({ length: tokensPerPayer }, () => opened.token(accountId)));
    const token = await opened.token(accountId);
    owner ||= token;
    ({ files: files[name], scene: scenes[name] } = await studio(opened, token));
    inboxes[name] = await inbox(opened, accountId, token);
    uploads[name] = await givePartsUpload(opened.service.context, accountId);
    orders[name] = (await opened.api(token).createCreditOrder({ body: { packId: 'pack-100' } })).data.id;
    for (const text of sentences) tasks[await speak(opened, token, text)] = name;
    const taskId = await abandoned(opened, token);
    tasks[taskId] = name;
    givenUp.push(taskId);
    digests.push(await published(opened, token));
  }
  return {
    abandoned: givenUp,
    published: digests,
    files,
    inboxes,
    owner,
    payers: tokens,
    scenes,
    orders,
    tasks,
    uploads,
  };
}

/**
 * The account that has used up its rate limit has Studio resources, too: on a slow machine its minute is over before
 * the last case, and requests are then accepted.
 */
async function rejected(opened: Opener, unknown: string): Promise<Pick<Identities, 'files' | 'rejected' | 'scenes'>> {
  const { account, api, token } = opened;
  const spentId = await account(0);
  const [busy, narrow, poor, spent] = await Promise.all([
    token(await account(1000)),
    token(await account(1000), ['read:piloto']),
    token(await account(0)),
    token(spentId),
  ]);
  const { files, scene: spentScene } = await studio(opened, await token(spentId));
  await Promise.all(Array.from({ length: simultaneousTasks }, () => speak(opened, busy, unending)));
  await Promise.all(Array.from({ length: requestsPerMinute }, () => api(spent).getProfile()));
  return { files: { spent: files }, rejected: { busy, narrow, poor, spent, unknown }, scenes: { spent: spentScene } };
}

/** A task that has ended in the meantime is fine; one that cannot be ended is reported by the audit. */
const leave = (error: unknown): void => {
  if (!(error instanceof ApiError)) throw error;
};

export async function fuzzAccounts(service: Service): Promise<FuzzAccounts> {
  const { accounts, ids } = service.context;
  const opened = opener(service);
  const paying = await payers(opened);
  const unknown = tokenText(ids.secret(tokenSecretBytes));
  const rejecting = await rejected(opened, unknown);
  const identities = {
    ...paying,
    files: { ...paying.files, ...rejecting.files },
    scenes: { ...paying.scenes, ...rejecting.scenes },
    stranger: await opened.token(await opened.account(1000)),
    rejected: rejecting.rejected,
  };
  const openTasks = async (accountId: string) => (await accounts.find(accountId))?.openTasks ?? [];
  return {
    identities,
    async endTasks() {
      for (const accountId of opened.accountIds) {
        const api = opened.api(await opened.token(accountId));
        for (const taskId of await openTasks(accountId)) {
          await api.cancelTask({ params: { taskId } }).catch(leave);
        }
      }
    },
    async audit() {
      const { audited, drifts } = (await service.invoke('auditLedger', {})) as { audited: number; drifts: object[] };
      const held = (await Promise.all(opened.accountIds.map(openTasks))).flat();
      return [
        ...(audited === opened.accountIds.length
          ? []
          : [`${audited} accounts of ${opened.accountIds.length} audited.`]),
        ...drifts.map((drift) => `An account drifts from its ledger: ${JSON.stringify(drift)}.`),
        ...held.map((taskId) => `The task ${taskId} ended and holds its slot.`),
      ];
    },
  };
}
