/** Which engine makes tasks of a type; a task keeps the engine it was created for. */
import type { TaskType } from '../contracts/generate.ts';

export const defaultEngines: Readonly<Record<TaskType, string>> = {
  voice: 'offline',
};
