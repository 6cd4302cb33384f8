import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { demoAccount, demoFile } from '../../../infra/local/demo-account.ts';
import { testService } from '../../support/test-service.ts';

const host = await testService();
const dataDir = mkdtempSync(join(tmpdir(), 'demo-account-'));
afterAll(async () => {
  await host.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a damaged demo account file is replaced by a new account, which later starts keep', async () => {
  const { context } = host.service;
  writeFileSync(demoFile(dataDir), '{');
  const made = await demoAccount(context, dataDir);
  expect((await host.call('getProfile', { token: made.token })).status).toBe(200);
  expect(JSON.parse(readFileSync(demoFile(dataDir), 'utf8'))).toEqual({
    token: made.token,
    webhookToken: made.webhookToken,
  });
  expect(await demoAccount(context, dataDir)).toEqual(made);
});
