/**
 * A drill: a customer's program creates tasks without end. Its token gets a monthly cap, open tasks are canceled, and
 * the token is revoked.
 */
import { ApiError } from '../../../client/client.ts';
import { eventually } from '../../support/eventually.ts';
import type { Drill } from './drill.ts';

interface Tokens {
  readonly tokens: readonly { readonly tokenId: string }[];
}
interface Tasks {
  readonly tasks: readonly { readonly taskId: string }[];
}

const codeOf = (calling: Promise<unknown>): Promise<string | undefined> =>
  calling.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ApiError) return error.code;
      throw error;
    },
  );

const openTasks = 4;

export const runawayCustomer: Drill = {
  summary: 'A customer creates tasks without end: cap the token, cancel what is open, revoke the token.',
  page: 'docs/drills.md',
  heading: 'A customer runs away',
  async run({ check, customer, operate, run }) {
    const [ana, bia] = [await customer(100), await customer(10)];
    const hanging = await Promise.all(Array.from({ length: openTasks }, () => ana.speak({ behavior: 'hang' })));
    const values = { '<accountId>': ana.accountId, '<tokenId>': ana.tokenId };
    const { tokens } = await run<Tokens>('npm run admin -- token list', { values });
    check(
      'the list of tokens has the token that spends',
      tokens.some(({ tokenId }) => tokenId === ana.tokenId),
    );
    await run('npm run admin -- token set-cap', { values });
    hanging.push(await ana.speak({ behavior: 'hang' }));
    check('the token can spend no more than its cap', (await codeOf(ana.speak())) === 'INSUFFICIENT_CREDITS');
    await bia.ended(await bia.speak());
    check('another customer’s task is completed', (await bia.balance()) === 9);

    const listed = (status: string) => operate<Tasks>(`task list --account ${ana.accountId} --status ${status}`);
    await eventually('the submission of all tasks', async () => {
      const { tasks } = await listed('processing');
      return tasks.length === hanging.length || undefined;
    });
    const { tasks } = await run<Tasks>('npm run admin -- task list', { values });
    check('the list shows all open tasks', tasks.length === hanging.length);
    const [first = '', ...others] = tasks.map(({ taskId }) => taskId);
    await run('npm run admin -- task fail', { values: { '<taskId>': first } });
    for (const task of others) await operate(`task fail --task ${task}`);
    const ended = await Promise.all(hanging.map((taskId) => ana.ended(taskId)));
    check(
      'each open task has ended and is refunded',
      ended.every((task) => task.creditsRefunded === task.creditsUsed),
    );
    check('the customer has all credits again', (await ana.balance()) === 100);
    check('the balance is the sum of the ledger', await ana.isBalanced());

    await run('npm run admin -- token revoke', { values });
    check('the revoked token is rejected', (await codeOf(ana.speak())) === 'UNAUTHORIZED');
  },
};
