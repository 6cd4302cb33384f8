/** The types of task: a generation operation's path ends with the type of the tasks that it creates. */

export const taskTypes = [
  'image',
  'image-edit',
  'character-replace',
  'background-remove',
  'image-upscale',
  'influencer',
  'skin-enhance',
  'voice',
  'video-creative',
  'video-ugc',
  'video-imitate',
  'video-studio',
  'cortes',
  'voice-change',
] as const;

export type TaskType = (typeof taskTypes)[number];

const known: ReadonlySet<string> = new Set(taskTypes);

export const isTaskType = (text: string): text is TaskType => known.has(text);
