/**
 * The service for tests of every operation: a valid request for each, by an account that has everything the request
 * names.
 */
import { expect } from 'vitest';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { rememberPublished } from '../../shared/domain/published-files/published-file-store.ts';
import { eventually } from '../support/eventually.ts';
import { exampleBody } from '../support/example-body.ts';
import { type GivenInbox, giveInbox } from '../support/given-inbox.ts';
import { giveOrder } from '../support/given-order.ts';
import { givePartsUpload } from '../support/given-parts-upload.ts';
import { specification } from '../support/specification-table.ts';
import type { SpecifiedOperation } from '../support/specified-operation.ts';
import { giveExampleProduct } from '../support/studio-cast.ts';
import { type Call, type TestAccount, type TestService, testService } from '../support/test-service.ts';

export const operations = Object.entries(specification) as [OperationId, SpecifiedOperation][];
export const withBody = operations.filter(([, { body }]) => Object.keys(body).length > 0);

/** The headers that every response has. */
export const commonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
};

/** The digest of a file that the service published. */
const sha256 = '5e'.repeat(32);

const idsOf = ({ conversationId, postId, commentId }: GivenInbox) => ({ conversationId, postId, commentId });

export interface OperationScene {
  readonly host: TestService;
  /** The latest account, with the largest plan. */
  readonly account: TestAccount;
  readonly taskId: string;
  readonly orderId: string;
  /** Another account that has everything the operation needs. */
  freshAccount(operationId?: OperationId): Promise<void>;
  /** Another token of the account, because each admits only 60 requests a minute. */
  freshToken(): Promise<void>;
  /** A valid request, of which each test changes one property. */
  rightCall(operationId: OperationId): Call;
  /** Checks that the account still has only its first task. */
  expectUntouched(): Promise<void>;
}

interface Given {
  readonly account: TestAccount;
  readonly taskId: string;
  readonly orderId: string;
  readonly inbox: GivenInbox | undefined;
  readonly upload: Awaited<ReturnType<typeof givePartsUpload>> | undefined;
}

/** A task that was canceled, and whose webhook was delivered. */
async function giveNotifiedTask(host: TestService, token: string): Promise<string> {
  const taskId = await host.speak(token, { text: 'Oi.', voice: 'bill', callbackUrl: host.receiver.url });
  await host.call('cancelTask', { token, params: { taskId } });
  await eventually('the delivery', async () => {
    const task = await host.service.context.tasks.find(taskId);
    return task?.webhookStatus === 'delivered' ? task : undefined;
  });
  return taskId;
}

async function give(host: TestService, operationId: OperationId | undefined): Promise<Given> {
  host.engine.play({});
  const { context } = host.service;
  const account = await host.account({ planId: 'business' });
  const { accountId, token } = account;
  await giveExampleProduct(context, accountId, host.engine.inputUrls.image);
  const isOfInbox = operationId !== undefined && specification[operationId].feature === 'piloto';
  return {
    account,
    taskId: operationId === 'redeliverWebhook' ? await giveNotifiedTask(host, token) : await host.speak(token),
    orderId: await giveOrder(context, accountId),
    inbox: isOfInbox ? await giveInbox(host, accountId) : undefined,
    upload: operationId === 'completeFile' ? await givePartsUpload(context, accountId) : undefined,
  };
}

const bodyOf = (host: TestService, { inbox, upload }: Given, operationId: OperationId): object => ({
  ...exampleBody(operationId, host.engine.inputUrls),
  ...(operationId === 'replyToComment' && inbox && { commentId: inbox.commentId }),
  ...(upload && { etags: upload.etags }),
});

export async function startOperationScene(): Promise<OperationScene> {
  // No test waits for a task's end; at a faster pace, hundreds of open tasks would be polled continuously.
  const host = await testService({ pace: 1 });
  const { clock, table } = host.service.context;
  const publisher = { accountId: 'any', taskType: 'voice', input: {} } as const;
  await table.transact(rememberPublished(publisher, [{ sha256 }], { at: clock.now(), keptDays: 1 }));
  let given = await give(host, undefined);
  return {
    host,
    get account() {
      return given.account;
    },
    get taskId() {
      return given.taskId;
    },
    get orderId() {
      return given.orderId;
    },
    async freshAccount(operationId) {
      given = await give(host, operationId);
    },
    async freshToken() {
      const { account } = given;
      given = { ...given, account: { ...account, ...(await host.token(account.accountId)) } };
    },
    rightCall(operationId) {
      const { account, inbox, orderId, taskId, upload } = given;
      const hasBody = Object.keys(specification[operationId].body).length > 0;
      return {
        token: account.token,
        ...(hasBody && { body: bodyOf(host, given, operationId) }),
        params: { taskId, orderId, sha256, ...(inbox && idsOf(inbox)), ...(upload && { fileId: upload.fileId }) },
      };
    },
    async expectUntouched() {
      const { account, taskId } = given;
      const { accounts, tasks } = host.service.context;
      const [stored, task, ids] = await Promise.all([
        accounts.find(account.accountId),
        tasks.find(taskId),
        tasks.ids(account.accountId, {}, { limit: 10, offset: 0 }),
      ]);
      const isOpen = task?.endedAt === undefined;
      expect(stored).toMatchObject({ balance: isOpen ? 999 : 1000, openTasks: isOpen ? [taskId] : [] });
      expect(ids).toEqual([taskId]);
    },
  };
}
