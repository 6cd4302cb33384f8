/** Uses the Studio in every way, so that the AWS calls for files, products, avatars and their videos are recorded. */
import { expect } from 'vitest';
import type { OperationId } from '../../../shared/contracts/registry.ts';
import { claimKey, releaseClaim } from '../../../shared/domain/idempotency/idempotency-claim.ts';
import { exampleBody } from '../../support/example-body.ts';
import { giveAvatar } from '../../support/studio-cast.ts';
import type { TestAccount, TestResponse, TestService } from '../../support/test-service.ts';
import { tinyPng } from '../../support/tiny-image.ts';
import { sendForm, type Upload } from '../../support/upload-file.ts';

type Call = (operationId: OperationId, options?: object) => Promise<TestResponse>;

async function upload(call: Call, key: string): Promise<string> {
  const file = tinyPng(40, 30);
  const response = await call('createFile', {
    body: { contentType: 'image/png', bytes: file.length },
    headers: { 'idempotency-key': key },
  });
  const created = response.body.data as Upload;
  expect(await sendForm(created, file)).toMatchObject({ status: 204 });
  return created.fileId;
}

/** If a key is in use for a different body, its row is read. */
async function rejectAnotherBody({ service }: TestService, accountId: string, call: Call): Promise<void> {
  const { clock, ids, table } = service.context;
  const scope = { accountId, operationId: 'createFile', key: 'held' };
  const claim = { owner: ids.next(), outsideKey: ids.next(), fingerprint: 'another', isRepeatable: false };
  const outcome = await claimKey(table, scope, claim, clock.now());
  if (outcome.status === 'claimed') await releaseClaim(table, outcome.claim, 'keeps-outside-key');
  const body = { contentType: 'image/png', bytes: 1 };
  expect((await call('createFile', { body, headers: { 'idempotency-key': 'held' } })).status).toBe(409);
}

/**
 * Creates each resource under two keys, replays a response while the operation is switched off, and lists the
 * products.
 */
export async function useStudio(
  host: TestService,
  { accountId }: TestAccount,
  call: Call,
  switchOperation: (operationId: string, on: boolean) => Promise<void>,
): Promise<void> {
  const product = { productFileIds: [await upload(call, 'product')], images: [host.engine.inputUrls.image] };
  const avatar = { name: 'Ana', avatarFileId: await upload(call, 'avatar'), sourceInfluencerId: 'ana' };
  for (const [operationId, body] of [
    ['createStudioProduct', product],
    ['createStudioAvatar', avatar],
  ] as const) {
    for (const key of ['first', 'second']) {
      const response = await call(operationId, { body, headers: { 'idempotency-key': key } });
      expect(response.status, response.text).toBe(200);
    }
    await switchOperation(operationId, false);
    expect((await call(operationId, { body, headers: { 'idempotency-key': 'first' } })).status).toBe(200);
    await switchOperation(operationId, true);
  }
  await call('listStudioProducts');
  const avatarId = await giveAvatar(host.service.context, {
    accountId,
    image: { url: host.engine.inputUrls.image },
  });
  const video = { ...exampleBody('generateStudioVideo', host.engine.inputUrls), avatarId };
  expect((await call('generateStudioVideo', { body: video })).status).toBe(202);
  const items = [{ operation: 'generateStudioVideo', body: video }];
  expect((await call('generateBatch', { body: { items } })).status).toBe(200);
  await rejectAnotherBody(host, accountId, call);
}
