/** Who is admitted for the first time, in a service of its own, whose rules change. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../../infra/local/host.ts';
import { invite } from '../../../shared/domain/sessions/invitation.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { createFullContext } from '../../../shared/runtime/full-context.ts';
import { accessibilityProblems, canLookInside, newPage, openBrowser, startOwn } from './dashboard-harness.ts';
import { addressOf, logInWithGoogle } from './people.ts';

// Settings belong to a whole service: a deployed one is not changed by tests.
describe.runIf(canLookInside)('a service', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'admission-e2e-'));
  let service: Service;
  const admit = (signUp: string): void =>
    service.bind(createFullContext({ ...service.environment, [settingVariables.signUp]: signUp }));

  /** Logs in with Google on a phone in Portuguese, from the first page of the dashboard. */
  async function arrive(email: string) {
    const opened = await openBrowser({ screen: 'phone', locale: 'pt-BR' });
    const { page, complaints } = await newPage(opened);
    await page.goto(`${service.context.settings.dashboardUrl}/account/`);
    await page.getByRole('link', { name: 'Entrar' }).click();
    await logInWithGoogle(page, email);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { opened, page, complaints };
  }

  async function expectRejected(email: string, reason: string): Promise<void> {
    const { opened, page } = await arrive(email);
    await page.getByRole('alert').filter({ hasText: reason }).waitFor();
    await page.getByRole('link', { name: 'Entrar' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect((await opened.cookies()).map(({ name }) => name)).not.toContain('session');
    await opened.close();
  }

  async function expectAdmitted(email: string): Promise<void> {
    const { opened, page, complaints } = await arrive(email);
    await page.getByRole('link', { name: 'Tarefas' }).first().waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('401'))).toEqual([]);
    await opened.close();
  }

  beforeAll(async () => {
    service = await startOwn(dataDir);
  });
  afterAll(async () => {
    await service?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('with sign-up by invitation admits invited users and no others', async () => {
    const invited = addressOf('Vera');
    admit('invitation');
    await expectRejected(invited, 'Este e-mail não tem convite.');
    await invite(service.context, invited);
    await expectAdmitted(invited);
    await expectRejected(addressOf('Wil'), 'Este e-mail não tem convite.');
  });
});
