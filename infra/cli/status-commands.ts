/** The command that answers whether anything is stuck. */
import { catalogStore } from '../../shared/domain/catalog/catalog-store.ts';
import { attention } from '../../shared/domain/operator-reads/attention.ts';
import { deadLetters } from '../../shared/platform/dead-letters.ts';
import { type Command, command } from './command.ts';
import { enginesOf } from './engines-of.ts';
import { lines } from './text-output.ts';

/** A number, with the command that lists what was counted. */
const counted = (count: number, next: string): string => (count === 0 ? '0' : `${count}: "${next}"`);

const status = command({
  name: 'status',
  summary:
    'Say whether anything is stuck: tasks past their deadline, webhooks that failed today or yesterday (UTC), dead letters, payments that need a decision, paused routes.',
  async run(_values, service) {
    const { circuits, clock, table, tasks } = service;
    const catalog = catalogStore(table, clock, () => enginesOf(service));
    const [found, queues] = await Promise.all([
      attention({ catalog, circuits, clock, table, tasks }),
      deadLetters(service).depths(),
    ]);
    const stuck = [
      ...(found.openTasks.overdue > 0 ? ['tasks'] : []),
      ...(found.failedWebhooks > 0 ? ['webhooks'] : []),
      ...(queues.some(({ deadLetters: count }) => count > 0) ? ['queues'] : []),
      ...(found.openCases > 0 ? ['cases'] : []),
      ...(found.circuits.length > 0 ? ['routes'] : []),
    ];
    return { stuck, ...found, queues: queues.map((depth) => ({ ...depth })) };
  },
  print: ({ circuits, failedWebhooks, openCases, openTasks, queues, stuck, switchedOff }) =>
    lines({
      stuck: stuck.length === 0 ? 'nothing' : stuck,
      openTasksAtLeast: openTasks.atLeast,
      oldestOpenTask: openTasks.oldestAt,
      tasksPastTheirDeadline: counted(openTasks.overdue, 'task list --stuck deadline'),
      failedWebhooks: counted(failedWebhooks, 'task list --stuck webhook'),
      openCases: counted(openCases, 'case list'),
      pausedRoutes: circuits.map(({ accounts, openUntil, route }) =>
        openUntil === null ? `${route} for ${accounts} accounts` : `${route} until ${openUntil}`,
      ),
      switchedOff,
      ...Object.fromEntries(
        queues.map(({ deadLetters: count, inFlight, queue, waiting }) => [
          queue,
          `${waiting} waiting, ${inFlight} in flight, ${count} dead letters`,
        ]),
      ),
    }),
});

export const statusCommands: readonly Command[] = [status];
