/** The guarantees of a completed task: its files are complete and served at their URLs. */
import { isTerminal } from '../../../shared/domain/tasks/task.ts';
import { outputOf } from '../world/engine-output.ts';
import type { World } from '../world/world.ts';
import { ensure } from './ensure.ts';
import type { SeenTask, Snapshot } from './snapshot.ts';

const isSettledIn = ({ tasks }: Snapshot, { taskId }: SeenTask): boolean =>
  isTerminal(tasks.get(taskId) ?? { status: 'pending' });

async function read(url: string) {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, contentType: response.headers.get('content-type'), bytes };
}

/** Checks that every task completed meanwhile has the files that its engine created. */
export async function ensureResults({ host }: World, before: Snapshot, after: Snapshot): Promise<void> {
  const completed = [...after.tasks.values()].filter(
    (task) => task.status === 'completed' && !task.deletion && !isSettledIn(before, task),
  );
  for (const { taskId, taskType, results = [] } of completed) {
    const made = await read(`${host.engine.url}/${outputOf({ taskId, taskType }).url}`);
    ensure(results.length === 1, 'a completed task has its file', { taskId, results });
    for (const { key, bytes, contentType } of results) {
      const kept = await read(`${host.url}/${key}`);
      const evidence = { key, bytes, contentType, status: kept.status, length: kept.bytes.length };
      ensure(kept.status === 200 && kept.bytes.equals(made.bytes), 'a result is the file that was made', evidence);
      ensure(kept.contentType === contentType && kept.bytes.length === bytes, 'a result is what it says', evidence);
    }
  }
}
