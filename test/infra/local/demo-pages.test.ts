import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { demoAccount } from '../../../infra/local/demo-account.ts';
import { connectDemoPages } from '../../../infra/local/demo-pages.ts';
import { connectionStore } from '../../../shared/domain/piloto/pages/connection-store.ts';
import { testService } from '../../support/test-service.ts';

const host = await testService();
const dataDir = mkdtempSync(join(tmpdir(), 'demo-pages-'));
afterAll(async () => {
  await host.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('the demo account has a page of each channel, which later starts leave unchanged', async () => {
  const { service } = host;
  const { accountId } = await demoAccount(service.context, dataDir);
  const connected = async () => {
    const found = await connectionStore(service.context.table).of(accountId);
    return found.map(({ channel, pageId, connectedAt, state }) => ({ channel, pageId, connectedAt, state }));
  };
  await connectDemoPages(service, accountId);
  const first = await connected();
  expect(new Set(first.map(({ channel }) => channel))).toEqual(new Set(['instagram', 'facebook']));
  expect(first.map(({ pageId }) => pageId).toSorted((one, other) => one.localeCompare(other))).toEqual(
    service.social.world
      .shopOf(accountId)
      .map(({ id }) => id)
      .toSorted((one, other) => one.localeCompare(other)),
  );
  await connectDemoPages(service, accountId);
  expect(await connected()).toEqual(first);
});
