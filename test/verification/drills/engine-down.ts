/**
 * A drill: every job of an engine fails. Its circuit opens, another engine takes over, and no task is lost or stuck.
 */
import { ApiError } from '../../../client/client.ts';
import { failuresThatOpen } from '../../../shared/domain/generation/circuit.ts';
import { eventually } from '../../support/eventually.ts';
import type { Drill } from './drill.ts';

interface Routes {
  readonly routes: readonly { readonly id: string; readonly circuit: string }[];
}

const circuit = JSON.stringify({ pk: { S: 'CIRCUITS' }, sk: { S: 'fal/elevenlabs-multilingual-v2' } });

export const engineDown: Drill = {
  summary: 'An engine is down: its circuit opens, change the routes or switch the task type off, and undo it.',
  page: 'docs/drills.md',
  heading: 'An engine is down',
  async run({ aws, check, customer, deploy, operate, outputs, run, stage, untilCatalogIsRead }) {
    try {
      // An earlier drill has opened the circuit, too.
      const { TableName } = await outputs();
      await aws(`aws dynamodb delete-item --table-name ${TableName} --key '${circuit}'`);
      // The failing engine is one without a key; the working one is its fallback.
      await deploy({ engines: { fal: {}, ...stage.engines } });
      const ana = await customer(100);
      const hanging = await Promise.all(Array.from({ length: failuresThatOpen }, () => ana.speak()));
      const failed = await Promise.all(hanging.map((taskId) => ana.ended(taskId)));
      check(
        'tasks fail because of the engine',
        failed.every(({ error }) => error?.code === 'PROVIDER_ERROR'),
      );
      check('each of them is refunded', (await ana.balance()) === 100);
      const { routes } = await run<Routes>('npm run admin -- route show');
      // The first pause is short: if it is over, the next failure begins a longer one.
      await eventually('an open circuit', async () => {
        const shown = await operate<Routes>('route show --type voice');
        if (shown.routes.some(({ id, circuit }) => id.startsWith('fal/') && circuit !== 'closed')) return true;
        await ana.ended(await ana.speak());
        return undefined;
      });
      check('the circuit of the route is open', true);
      // The first task that probes the route may fail before others take the other route.
      await eventually('a task that the other engine makes', async () => {
        const task = await ana.ended(await ana.speak());
        return task.status === 'completed' || undefined;
      });
      check('the other engine takes over by itself', true);

      await run('npm run admin -- route use');
      await untilCatalogIsRead();
      const bia = await customer(100);
      const made = await Promise.all(
        (await Promise.all([1, 2, 3].map(() => bia.speak()))).map((taskId) => bia.ended(taskId)),
      );
      check(
        'with the new routes, all tasks are completed',
        made.every(({ status }) => status === 'completed'),
      );

      await run('npm run admin -- switch set voice off');
      await untilCatalogIsRead();
      const rejected = await ana.speak().catch((error: unknown) => error);
      check('requests are rejected, and cost nothing', rejected instanceof ApiError && rejected.status === 503);
      await run('npm run admin -- switch set voice on');
      await run('npm run admin -- catalog undo routes');
      await untilCatalogIsRead();
      const { routes: restored } = await operate<Routes>('route show --type voice');
      check('the routes are as before', restored.map(({ id }) => id).join() === routes.map(({ id }) => id).join());

      const open = await operate<{ tasks: readonly unknown[] }>(
        `task list --account ${ana.accountId} --status processing`,
      );
      check('no task is still open', open.tasks.length === 0);
      check('balances are the sums of their ledgers', (await ana.isBalanced()) && (await bia.isBalanced()));
    } finally {
      await deploy();
    }
  },
};
