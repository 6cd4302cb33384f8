/** Test cases: texts such as `[test:provider_error]`, with which a request of a test token chooses how its task ends. */
import type { TaskErrorCode } from './errors.ts';

/** How an engine can fail. */
type Failure = Exclude<TaskErrorCode, 'CANCELED' | 'INTERNAL_ERROR'>;

interface Meaning {
  /** What happens in the test case, in the words of the documentation. */
  readonly meaning: string;
  /** How the task fails; if absent, it completes. */
  readonly failure?: Failure;
  /** The allowed seconds, for a test case that is written with a number: `[test:slow=20]`. */
  readonly seconds?: { readonly min: number; readonly max: number; readonly example: number };
}

/** How long the engine of test mode takes to time out, in seconds. */
export const testTimeoutSeconds = 5;
/** How many steps the progress of a task has with `[test:progress]`, and how long each takes. */
export const testSteps = { count: 10, seconds: 2 } as const;

const fails = (failure: Failure, as = '') => ({ meaning: `The task fails with \`${failure}\`${as}.`, failure });

/** All test cases and what they mean: the only source for the engine of test mode, the contract and the guides. */
export const testCases = {
  content_rejected: fails('CONTENT_REJECTED'),
  provider_error: fails('PROVIDER_ERROR'),
  provider_timeout: fails('PROVIDER_TIMEOUT', `, after ${testTimeoutSeconds} seconds`),
  download_failed: fails('DOWNLOAD_FAILED', ', as if a file of the request could not be downloaded'),
  input_invalid: fails('INPUT_INVALID', ', as if a file of the request could not be used'),
  slow: {
    meaning: 'The task completes after this number of seconds, from 1 to 120.',
    seconds: { min: 1, max: 120, example: 20 },
  },
  progress: {
    meaning: `The task completes in ${testSteps.count} steps of ${testSteps.seconds} seconds, which its \`progress\` shows.`,
  },
  late_callback: {
    meaning: 'The report of the engine is lost: the task completes after about a minute, when the engine is asked.',
  },
  webhook_refused: {
    meaning: 'The task completes, but every attempt to deliver its webhook fails; nothing is sent to `callbackUrl`.',
  },
  unavailable: {
    meaning:
      'The request is rejected as if no engine were available, with 503 (`generateCortes`: 502); no task is created.',
  },
} as const satisfies Readonly<Record<string, Meaning>>;

export type TestCaseName = keyof typeof testCases;

/** A test case in a request. */
export interface TestCase {
  readonly name: TestCaseName;
  /** The number in the text: `[test:slow=20]`. */
  readonly seconds?: number;
}

/** The fields that may contain a test case; the first one that a request has counts. */
export const testCaseFields = ['prompt', 'text', 'name', 'userPrompt'] as const;

/** The text of a test case, such as `[test:slow=20]`. */
export const testCaseText = (name: TestCaseName): string => {
  const { seconds }: Meaning = testCases[name];
  return `[test:${name}${seconds ? `=${seconds.example}` : ''}]`;
};

interface TestRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly clientReference?: string | undefined;
}

/** The field in which a request may have a test case, and its value; the client reference if the request has no text. */
function textOf({ body, clientReference = '' }: TestRequest): { readonly field: string; readonly text: string } {
  const field = testCaseFields.find((name) => typeof body[name] === 'string' && body[name] !== '');
  return field === undefined
    ? { field: 'X-Client-Reference', text: clientReference }
    : { field, text: body[field] as string };
}

const isName = (name: string): name is TestCaseName => Object.hasOwn(testCases, name);

/** Reads `slow=20`; undefined if it is not a test case. */
function readCase(written: string): TestCase | undefined {
  const [, name = '', number] = /^([a-z_]+)(?:=(\d{1,3}))?$/.exec(written) ?? [];
  if (!isName(name)) return undefined;
  const { seconds: range }: Meaning = testCases[name];
  if (!range) return number === undefined ? { name } : undefined;
  const seconds = Number(number);
  return seconds >= range.min && seconds <= range.max ? { name, seconds } : undefined;
}

const opening = '[test:';

/** What the first test case in a text consists of, without its brackets. */
function writtenIn(text: string): string | undefined {
  const start = text.indexOf(opening);
  const end = text.indexOf(']', start);
  return start < 0 || end < 0 ? undefined : text.slice(start + opening.length, end);
}

/** The test case that a request of a test token asks for: the first one in its text. If it is invalid, the reason. */
export function testCaseOf(request: TestRequest): TestCase | { readonly problem: string } | undefined {
  const { field, text } = textOf(request);
  const written = writtenIn(text);
  if (written === undefined) return undefined;
  const accepted = (Object.keys(testCases) as TestCaseName[]).map(testCaseText).join(', ');
  return (
    readCase(written) ?? {
      problem: `${field} contains a test case that does not exist; the test cases are ${accepted}`,
    }
  );
}

/** The test case of a task that was accepted in test mode. */
export function acceptedTestCase(request: TestRequest): TestCase | undefined {
  const found = testCaseOf(request);
  return found && 'name' in found ? found : undefined;
}
