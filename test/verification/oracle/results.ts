/** The guarantees of a completed task: its files are complete, marked, served at their URLs, and remembered. */
import { isTerminal } from '../../../shared/domain/tasks/task.ts';
import { isTestAccount } from '../../../shared/domain/test-account.ts';
import { isMarked } from '../../support/is-marked.ts';
import { sha256Of } from '../../support/sha256-of.ts';
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

/** The audio in a file of the scripted engine: all of its frames, which marking leaves unchanged. */
const soundIn = (file: Buffer): Buffer => file.subarray(file.indexOf('fff318c4', 'hex'));

/** Checks that each task that was completed between two snapshots has the files of its engine, marked. */
export async function ensureResults({ host }: World, before: Snapshot, after: Snapshot): Promise<void> {
  const completed = [...after.tasks.values()].filter(
    (task) => task.status === 'completed' && !task.deletion && !isSettledIn(before, task),
  );
  for (const { accountId, taskId, taskType, results = [] } of completed) {
    const made = await read(`${host.engine.url}/${outputOf({ taskId, taskType }).url}`);
    ensure(results.length === 1, 'a completed task has its file', { taskId, results });
    for (const { key, bytes, contentType, provenance } of results) {
      const kept = await read(`${host.url}/${key}`);
      const evidence = { key, bytes, contentType, provenance, status: kept.status, length: kept.bytes.length };
      const isMade = kept.status === 200 && soundIn(kept.bytes).equals(soundIn(made.bytes));
      ensure(isMade, 'a result is the file that was made', evidence);
      ensure(
        provenance !== undefined && (await isMarked(kept.bytes, contentType)),
        'a result is marked as a whole',
        evidence,
      );
      const isRemembered = after.published.has(sha256Of(kept.bytes));
      ensure(isRemembered !== isTestAccount(accountId), 'the service remembers what it published', evidence);
      ensure(kept.contentType === contentType && kept.bytes.length === bytes, 'a result is what it says', evidence);
    }
  }
}
