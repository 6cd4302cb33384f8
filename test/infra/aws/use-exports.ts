/** Owners export their accounts, so that every permission for this is used. */
import { expect } from 'vitest';
import { exportHours } from '../../../shared/contracts/limits.ts';
import { identitiesOwner, indexes } from '../../../shared/domain/index-keys.ts';
import { identityKey } from '../../../shared/domain/keys.ts';
import { callAsPage, giveSession } from '../../support/given-session.ts';
import { giveAvatar } from '../../support/studio-cast.ts';
import type { TestAccount, TestService } from '../../support/test-service.ts';
import { tinyPng } from '../../support/tiny-image.ts';
import { declareFile, sendForm } from '../../support/upload-file.ts';

/** Expects an account that has already used everything else. */
export async function useExports(host: TestService, account: TestAccount): Promise<void> {
  const { context } = host.service;
  const { accountId, token } = account;
  const png = tinyPng(3, 2);
  await sendForm(await declareFile(host, token, png.length), png);
  const key = `files/${context.ids.next()}-0f0f.png`;
  await giveAvatar(context, { accountId, image: { key }, sourceInfluencerId: 'none' });
  const identity = { ...identityKey(accountId), accountId, createdAt: host.clock.now() };
  const listed = { [indexes.byOwner.pk]: identitiesOwner(accountId), [indexes.byOwner.sk]: identity.pk };
  await context.table.put({ Item: { ...identity, ...listed } });
  const user = host.service.identity?.users.fromProvider('Google', { email: 'owner@example.com', name: 'Owner' });
  const given = { kind: 'social', provider: 'Google', username: user?.username ?? '' } as const;
  const { cookie } = await giveSession(context, accountId, given);
  for (const operationId of ['requestExport', 'openExport'] as const) {
    // The first guess of an account's password creates a row, so each operation is tried with another account.
    const other = await giveSession(context, (await host.account()).accountId);
    await callAsPage(host.url, operationId, { cookie: other.cookie, body: { password: 'a guess' } });
  }
  expect((await callAsPage(host.url, 'requestExport', { cookie, body: {} })).status).toBe(202);
  await host.service.invoke('makeExports', {});
  expect((await callAsPage(host.url, 'getExport', { cookie })).body.data).toMatchObject({ state: 'ready' });
  expect((await callAsPage(host.url, 'openExport', { cookie, body: {} })).status).toBe(200);
  host.clock.advance(exportHours * 3_600_000);
  await host.service.invoke('makeExports', {});
}
