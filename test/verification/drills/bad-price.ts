/** A drill: an operator sets a wrong price, customers pay it, and get the difference back. */
import type { Drill } from './drill.ts';

interface Changes {
  readonly changes: readonly { readonly version: number; readonly after: string }[];
}
interface Tasks {
  readonly tasks: readonly { readonly taskId: string; readonly cost: number }[];
}
interface Figures {
  readonly rows: readonly { readonly name: string }[];
}

const wrongPrice = 'price set --type voice --name charactersPerCredit --value 1';

export const badPrice: Drill = {
  summary: 'A price is wrong: undo it, find who paid it, and give the difference back.',
  page: 'docs/drills.md',
  heading: 'A price is wrong',
  async run({ check, customer, operate, run, untilCatalogIsRead }) {
    const ana = await customer(500);
    const before = await ana.ended(await ana.speak());
    await operate(wrongPrice);
    await untilCatalogIsRead();
    const dear = [await ana.speak(), await ana.speak({ behavior: 'reject' })];
    const tasks = await Promise.all(dear.map((taskId) => ana.ended(taskId)));
    check(
      'tasks cost many times as much as before',
      tasks.every(({ creditsUsed }) => creditsUsed > 10 * before.creditsUsed),
    );

    const { changes } = await run<Changes>('npm run admin -- catalog history prices');
    const wrong = changes.find(({ after }) => /"charactersPerCredit":1\b/.test(after));
    check('the history shows the wrong price', wrong !== undefined);
    await run('npm run admin -- catalog undo prices', { values: { '--version 7': `--version ${wrong?.version}` } });
    await untilCatalogIsRead();
    const after = await ana.ended(await ana.speak());
    check('new tasks cost what they did before', after.creditsUsed === before.creditsUsed);

    const { rows } = await run<Figures>('npm run admin -- figures show');
    check(
      'the day’s figures name the account',
      rows.some(({ name }) => name === ana.accountId),
    );
    const values = { '<accountId>': ana.accountId };
    const listed = (await run<Tasks>('npm run admin -- task list', { values })).tasks;
    const paid = listed.filter(({ taskId, cost }) => cost > before.creditsUsed && taskId === dear[0]);
    check('the list shows the tasks that cost too much', paid.length === 1 && listed.length === 4);
    const amount = paid.reduce((sum, { cost }) => sum + cost - before.creditsUsed, 0);
    await run('npm run admin -- credits grant', { values: { ...values, '--amount 46': `--amount ${amount}` } });
    check(
      'the customer has paid the right price for three tasks',
      (await ana.balance()) === 500 - 3 * before.creditsUsed,
    );
    check('the balance is the sum of the ledger', await ana.isBalanced());
  },
};
