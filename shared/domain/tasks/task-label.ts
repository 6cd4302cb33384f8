/** The label by which people recognize a task in a list: the beginning of its text, or the name of its file. */
import type { GenerationBody } from '../../contracts/generate.ts';
import { taskLabelLimit } from '../../contracts/limits.ts';
import type { TaskType } from '../../contracts/task-types.ts';
import type { Task } from './task.ts';

/** The field of the request that holds the text of a task, if it has one. */
const textFields: { readonly [Type in TaskType]: keyof GenerationBody<Type> | undefined } = {
  image: 'prompt',
  'image-edit': 'prompt',
  'character-replace': 'prompt',
  'background-remove': undefined,
  'image-upscale': undefined,
  influencer: 'name',
  'skin-enhance': undefined,
  voice: 'text',
  'video-creative': 'prompt',
  'video-ugc': 'speech',
  'video-imitate': undefined,
  'video-studio': 'userPrompt',
  cortes: undefined,
  'voice-change': undefined,
};

/** The first graphemes of a text. A single grapheme that exceeds the limit is cut between its code points. */
function beginningOf(text: string): string {
  const codePoints = Array.from(text.slice(0, 2 * (taskLabelLimit + 1)));
  if (codePoints.length <= taskLabelLimit) return text;
  const longest = codePoints.slice(0, taskLabelLimit + 1).join('');
  // The last grapheme may be incomplete, because the text was truncated within it, so it is left out.
  const segments = [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(longest)];
  const whole = segments.slice(0, -1).map(({ segment }) => segment);
  return whole.length > 0 ? whole.join('') : codePoints.slice(0, taskLabelLimit).join('');
}

/** The name of the file that an address leads to, if its path ends with one. */
function fileNameIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const name = new URL(value).pathname.split('/').at(-1) ?? '';
  if (!/[^.]\.[^.]+$/.test(name)) return undefined;
  try {
    const decoded = decodeURIComponent(name);
    // Control and bidirectional characters stay encoded, so that a name cannot disguise what a list shows.
    return /\p{C}/u.test(decoded) ? name : decoded;
  } catch {
    return name;
  }
}

/** The label of a task; null if its request has neither a text nor a file with a name. */
export function labelOf({ taskType, input }: Pick<Task, 'taskType' | 'input'>): string | null {
  const text = input[textFields[taskType] ?? ''];
  if (typeof text === 'string' && text.trim() !== '') return beginningOf(text);
  const names = Object.values(input).flat().map(fileNameIn);
  const fileName = names.find((name) => name !== undefined);
  return fileName === undefined ? null : beginningOf(fileName);
}
