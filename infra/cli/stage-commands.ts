/** The commands for deployed stages. */
import { type Command, command } from './command.ts';
import { requireDeployment } from './service.ts';
import { checkStage } from './stage-checks.ts';

const check = command({
  name: 'check',
  summary:
    'Show what a deployed stage still needs: engine keys, alarm recipients, a reachable API, concurrency, and how far each quota goes.',
  async run(_values, service) {
    const checks = await checkStage(requireDeployment(service));
    return { isReady: checks.every(({ status }) => status === 'ok'), checks };
  },
  rows: ({ checks }) => checks,
  whenEmpty: 'There is nothing to check.',
});

export const stageCommands: readonly Command[] = [check];
