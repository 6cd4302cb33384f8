/** The file that the scripted engine makes for a task, as its reports name it. */
import type { Task } from '../../../shared/domain/tasks/task.ts';

/** The videos of these tests are the smallest and shortest of their operations. */
const videoFacts = 'width=480&height=480&durationSec=4';

export function outputOf({ taskId, taskType }: Pick<Task, 'taskId' | 'taskType'>) {
  const file = `v1/files/job-${taskId}`;
  return taskType === 'voice'
    ? { url: `${file}.mp3`, contentType: 'audio/mpeg' }
    : { url: `${file}.mp4?${videoFacts}`, contentType: 'video/mp4' };
}
