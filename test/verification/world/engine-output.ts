/** The file that the scripted engine creates for a task, as its reports describe it. */
import type { Task } from '../../../shared/domain/tasks/task.ts';

/** The videos in these tests have the smallest size and duration that their operations allow. */
const videoFacts = 'width=480&height=480&durationSec=4';

export function outputOf({ taskId, taskType }: Pick<Task, 'taskId' | 'taskType'>) {
  const file = `v1/files/job-${taskId}`;
  return taskType === 'voice'
    ? { url: `${file}.mp3`, contentType: 'audio/mpeg' }
    : { url: `${file}.mp4?${videoFacts}`, contentType: 'video/mp4' };
}
