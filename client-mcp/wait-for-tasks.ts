/** Waits for tasks as long as one tool call may take, and tells the agent how far they are. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { type Client, TimeoutError, type WaitProgress } from '../client/client.ts';
import type { TaskSummary } from '../client/operations.ts';

export async function waitForTasks(
  api: Client,
  taskIds: readonly string[],
  timeoutSeconds: number,
  { _meta, notify, signal }: Pick<ServerContext['mcpReq'], '_meta' | 'notify' | 'signal'>,
): Promise<{ readonly hasEnded: boolean; readonly tasks: readonly TaskSummary[] }> {
  const progressToken = _meta?.progressToken;
  let polls = 0;
  const onProgress = ({ ended, total }: WaitProgress): void => {
    if (progressToken === undefined) return;
    polls += 1;
    const message = `${ended} of ${total} tasks have ended`;
    // Failures are ignored: if the client has disconnected, the signal ends the waiting.
    notify({ method: 'notifications/progress', params: { progressToken, progress: polls, message } }).catch(() => {});
  };
  try {
    return { hasEnded: true, tasks: await api.waitForTasks(taskIds, { timeoutSeconds, signal, onProgress }) };
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    const { data } = await api.listTasks({ query: { ids: taskIds.join(',') }, signal });
    return { hasEnded: false, tasks: data.tasks };
  }
}
