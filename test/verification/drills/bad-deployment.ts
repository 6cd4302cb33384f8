/** A version whose last step always fails is deployed while tasks are in flight, and rolled back. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/eventually.ts';
import { webhookReceiver } from '../../support/webhook-receiver.ts';
import type { Drill } from './drill.ts';

const project = fileURLToPath(new URL('../../../', import.meta.url));

/** Folders of the project that a deployment does not read, and those that are linked instead of copied. */
const leftOut = new Set(['node_modules', 'build', 'test', 'bench', 'demo-output', 'docs']);

const fault = "throw new Error('a bad deployment');";

/** A copy of the project in which no task can be finished. */
function badVersion(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bad-version-'));
  const isDeployed = (name: string) => !leftOut.has(name) && !name.startsWith('.');
  for (const name of readdirSync(project).filter(isDeployed)) {
    cpSync(join(project, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'functions/workflow/finalize.ts');
  const given = readFileSync(file, 'utf8');
  const changed = given.replace(/^ {2}const task = await context\.tasks\.find/m, `  ${fault}\n$&`);
  if (changed === given) throw new Error(`${file} has no place for the fault.`);
  writeFileSync(file, changed);
  return folder;
}

export const badDeployment: Drill = {
  summary: 'A bad version is deployed while tasks are in flight: roll it back.',
  page: 'docs/drills.md',
  heading: 'A deployment is bad',
  async run({ check, customer, deploy, operate, run }) {
    const receiver = await webhookReceiver();
    const folder = badVersion();
    try {
      const ana = await customer(100);
      const { token } = await operate<{ token: string }>(
        `token create --account ${ana.accountId} --name smoke --scopes all --test`,
      );
      const speak = (behavior?: string) => ana.speak({ callbackUrl: receiver.url, ...(behavior && { behavior }) });
      const early = await Promise.all([speak('hang'), speak('lose-callback'), speak('lose-callback')]);
      await deploy({}, folder);
      const late = await Promise.all([speak(), speak('reject')]);
      const values = { '<testToken>': token };
      const smoke = () => run<boolean>('API_URL=', { values });
      check('the smoke test finds the bad version', !(await smoke()));
      await run('npx cdk deploy');
      await run('npx cdk deploy --all');
      check('the smoke test passes again', await smoke());

      await operate(`task fail --task ${early[0]}`);
      const taskIds = [...early, ...late];
      const tasks = await Promise.all(taskIds.map((taskId) => ana.ended(taskId)));
      const isSettled = tasks.every((task) => task.status === 'completed' || task.creditsRefunded === task.creditsUsed);
      check('each task in flight has ended, and is refunded if it failed', isSettled);
      const paid = tasks.filter(({ status }) => status === 'completed').length;
      check('the customer has paid only for completed tasks', (await ana.balance()) === 100 - paid);
      check('the balance is the sum of the ledger', await ana.isBalanced());
      await eventually(
        'the webhooks of all tasks',
        () => taskIds.every((taskId) => receiver.of(taskId).length > 0) || undefined,
      );
      check(
        'each of these tasks has sent one webhook',
        taskIds.every((taskId) => receiver.of(taskId).length === 1),
      );
      check('new tasks are completed', (await ana.ended(await ana.speak())).status === 'completed');
    } finally {
      await deploy();
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
