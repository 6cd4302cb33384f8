/** A separate process for one run, so that the log output of its functions can be counted. */
import { countLogs } from '../function-meter.ts';
import { measureTasks } from '../measure-tasks.ts';
import type { Order } from '../task-record.ts';

const [order] = process.argv.slice(2);
if (!order || !process.send) throw new Error('this process is started by npm run cost');

// Exits in an orderly way, because only that stops the database; the parent disconnects when it has the result or ends.
for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(event, () => process.exit());
if (!process.connected) process.exit();

countLogs();
process.send(await measureTasks(JSON.parse(order) as Order));
