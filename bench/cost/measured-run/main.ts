/** A process of its own for one run: what its functions log is counted, which in another's output would be lost. */
import { countLogs } from '../function-meter.ts';
import { measureTasks } from '../measure-tasks.ts';
import type { Order } from '../task-record.ts';

const [order] = process.argv.slice(2);
if (!order || !process.send) throw new Error('npm run cost starts this process, and tells it what to measure');

// Only an orderly exit takes the database along; who waits for the result disconnects when it has it, or has gone.
for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(event, () => process.exit());
if (!process.connected) process.exit();

countLogs();
process.send(await measureTasks(JSON.parse(order) as Order));
