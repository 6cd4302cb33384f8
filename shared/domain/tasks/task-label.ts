/** The label by which people recognize a task in a list: the beginning of its text, or the name of its file. */
import { taskLabelLimit } from '../../contracts/limits.ts';

/** Fields of requests that hold the text of a task, in order of preference; no task type has two of equal weight. */
const textFields = ['prompt', 'text', 'speech', 'userPrompt', 'name'];

/** The first graphemes of a text; one that is longer than the limit by itself is cut between its code points. */
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

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** The label of a task with this input; null if it has neither a text nor a file with a name. */
export function labelOf(input: Readonly<Record<string, unknown>>): string | null {
  const text = textFields.map((field) => input[field]).find(isText);
  const fileName = () =>
    Object.values(input)
      .flat()
      .map(fileNameIn)
      .find((name) => name !== undefined);
  const full = text ?? fileName();
  return full === undefined ? null : beginningOf(full);
}
