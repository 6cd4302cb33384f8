/** What clients see of tasks whose inputs and results were erased because the account keeps them only for days. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { setRetention } from '../../shared/domain/accounts/account-retention.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { dayMs } from '../../shared/platform/clock.ts';
import { storedItems } from '../support/stored-items.ts';
import { storedKeys } from '../support/stored-keys.ts';
import type { TestAccount } from '../support/test-service.ts';
import { tinyPng } from '../support/tiny-image.ts';
import { uploadedUrl } from '../support/upload-file.ts';
import { webhookScene } from './webhook-scene.ts';

/** A text that is in every field of a test's requests, so that a search shows whether anything of them is left. */
let canary: string;
let account: TestAccount;

const scene = await webhookScene();
const { host } = scene;
const { clock, service } = host;
afterAll(() => scene.close());
beforeEach(async () => {
  canary = randomUUID();
  scene.completeTasks();
  host.receiver.respond((response) => {
    response.writeHead(204).end();
  });
  account = await host.account();
});

const keep = (retention: Parameters<typeof setRetention>[1]) =>
  service.context.table.transact([setRetention(account.accountId, retention)]);

/** Ends a task with an input file, a client reference and a webhook, all of which contain this text. */
async function edited(token: string) {
  const body = {
    prompt: `Um ${canary} azul`,
    imageUrl: `${host.engine.inputUrls.image}?${canary}`,
    callbackUrl: `${host.receiver.url}?${canary}`,
  };
  const response = await host.call('editImage', { token, body, headers: { 'x-client-reference': canary } });
  expect(response.status, response.text).toBe(202);
  const { taskId } = response.body.data as { taskId: string };
  await host.ended(token, taskId);
  await scene.settled(token, taskId);
  return host.task(token, taskId);
}

async function rowsWith(text: string): Promise<string[]> {
  const items = await storedItems(service.environment);
  return [...items].filter(([, item]) => JSON.stringify(item).includes(text)).map(([key]) => key);
}

const sweepAfter = (milliseconds: number) => {
  clock.advance(milliseconds);
  return service.invoke('sweepTasks', {});
};

test('a task says until when its results are stored, and they are gone then, while its texts stay', async () => {
  await keep({ resultsDays: 2 });
  const before = await edited(account.token);
  const expiresAt = new Date(Date.parse(before.createdAt) + 2 * dayMs).toISOString();
  expect(before.results).toMatchObject([{ expiresAt }]);
  await sweepAfter(Date.parse(expiresAt) - clock.now() - 60_000);
  expect((await fetch(before.resultUrl ?? '')).status).toBe(200);
  await sweepAfter(60_000);
  expect((await fetch(before.resultUrl ?? '')).status).toBe(404);
  expect(await storedKeys(service.environment.AWS_ENDPOINT_URL_S3, before.id)).toEqual([]);
  expect(await host.task(account.token, before.id)).toEqual(before);
  await host.audit();
});

test('an upload is used until its period is over and refused afterwards, in a folder that the storage deletes then', async () => {
  await keep({ inputsDays: 1 });
  const imageUrl = await uploadedUrl(host, account.token, tinyPng(40, 30));
  const fileId = imageUrl.split('/').at(-1) ?? '';
  expect(await storedKeys(service.environment.AWS_ENDPOINT_URL_S3, fileId)).toEqual([`uploads/1d/${fileId}`]);
  const remove = () => host.call('removeBackground', { token: account.token, body: { imageUrl } });
  clock.advance(dayMs - 7_200_000);
  expect((await remove()).status).toBe(202);
  clock.advance(7_200_000);
  const refused = await remove();
  expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringContaining('imageUrl')]);
});

test.each(['live', 'test'])(
  'nothing of the request of a %s token is left after its period, and the task can still be read',
  async (mode) => {
    await keep({ inputsDays: 1 });
    const { token } = mode === 'live' ? account : await host.token(testAccountOf(account.accountId));
    const before = await edited(token);
    const credits = () => host.call('listCreditHistory', { token });
    const history = (await credits()).body.data;
    await sweepAfter(dayMs - 60_000);
    expect((await host.task(token, before.id)).input).toEqual(before.input);
    await sweepAfter(60_000);
    expect(await rowsWith(canary)).toEqual([]);
    const { clientReference: _reference, input: _input, webhook: _webhook, ...rest } = before;
    const after = { ...rest, label: null, inputErasedAt: expect.any(String) };
    expect(await host.task(token, before.id)).toEqual({ ...after, input: {} });
    expect((await fetch(before.resultUrl ?? '')).status).toBe(200);
    const lists = { '': [after], 'status=completed&taskType=image-edit': [after], [`clientReference=${canary}`]: [] };
    for (const [query, tasks] of Object.entries(lists))
      expect((await host.call('listTasks', { token, query })).body.data, query).toMatchObject({ tasks });
    const on = { token, params: { taskId: before.id } };
    expect((await host.call('listTaskEvents', on)).status).toBe(200);
    const { error } = (await host.call('redeliverWebhook', on)).body;
    expect(error?.message).toContain('were erased');
    if (mode === 'live') expect((await credits()).body.data).toEqual(history);
  },
);
