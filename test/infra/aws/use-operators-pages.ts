/** An operator uses their pages, so that every permission for this is used. */
import { expect } from 'vitest';
import { type OperateOperationId, operateContracts } from '../../../shared/contracts/operate.ts';
import type { OperateContract } from '../../../shared/contracts/operation.ts';
import { groupOf } from '../../../shared/domain/operators/operator-groups.ts';
import { callAsOperator, giveOperator } from '../../support/given-operator.ts';
import { testBrowser } from '../../support/test-browser.ts';
import type { TestService } from '../../support/test-service.ts';

/** Logs in twice, so that the second session replaces the first. */
async function logIn({ service }: TestService): Promise<void> {
  const { dashboardUrl } = service.context.settings;
  const [browser, email, password] = [testBrowser(), 'operator@example.com', 'right horse'];
  service.identity?.users.addWithPassword({ email, name: 'Ana', groups: [groupOf('admin')] }, password);
  for (let count = 0; count < 2; count += 1) {
    const page = await browser.visit(`${dashboardUrl}/operate/api/login`);
    expect((await browser.submit(`${page.url}/password`, { email, password })).url).toBe(`${dashboardUrl}/operate/`);
  }
}

/** Calls each operation without a body; ids of missing objects are enough to use the permissions. */
export async function useTheOperatorsPages(host: TestService): Promise<void> {
  await logIn(host);
  for (const { example, operationId } of Object.values<OperateContract>(operateContracts)) {
    const { cookie } = await giveOperator(host.service.context, 'admin');
    const params = example.params ? { params: example.params } : {};
    const body = example.body ? { body: example.body } : {};
    await callAsOperator(host.url, operationId as OperateOperationId, { cookie, ...params, ...body });
  }
}
