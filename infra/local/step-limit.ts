/**
 * Limits how many steps of workflows this process runs concurrently: more would only make each wait longer, until clients
 * time out. Steps of tasks with files of other servers, which may respond slowly, have a limit of their own.
 */
import { fileAddressesOf } from '../../shared/domain/generation/file-addresses.ts';
import type { Task } from '../../shared/domain/tasks/task.ts';
import { fairWorkLimit } from './fair-work-limit.ts';

const others = { atOnce: 32, ofAccount: 16 } as const;
/** A video is copied in up to eight parts at once, each of which may take minutes. */
const withFiles = { atOnce: 64, ofAccount: 16 } as const;

/** For how many tasks it is remembered who created them. */
const mostRemembered = 10_000;

type FoundTask = Pick<Task, 'accountId' | 'taskType' | 'input' | 'derived'>;

interface Place {
  readonly accountId: string;
  readonly hasFiles: boolean;
}

const placeOf = (task: FoundTask): Place => ({
  accountId: task.accountId,
  hasFiles: fileAddressesOf(task).length > 0,
});

/** Accounts take turns, and each may use a part of either limit. */
export function stepLimit(find: (taskId: string) => Promise<FoundTask | undefined>) {
  const limitOfOthers = fairWorkLimit(others.atOnce, others.ofAccount);
  const limitOfFiles = fairWorkLimit(withFiles.atOnce, withFiles.ofAccount);
  const remembered = new Map<string, Place>();

  async function remember(taskId: string): Promise<Place> {
    const known = remembered.get(taskId);
    if (known) return known;
    const task = await find(taskId);
    if (!task) return { accountId: taskId, hasFiles: false };
    const [oldest] = remembered.size < mostRemembered ? [] : remembered.keys();
    if (oldest !== undefined) remembered.delete(oldest);
    const place = placeOf(task);
    remembered.set(taskId, place);
    return place;
  }

  return async <Result>({ taskId }: { readonly taskId: string }, step: () => Promise<Result>): Promise<Result> => {
    const { accountId, hasFiles } = await remember(taskId);
    return (hasFiles ? limitOfFiles : limitOfOthers)(accountId, step);
  };
}
