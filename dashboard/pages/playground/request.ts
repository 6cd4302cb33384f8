/** The request of the playground, which is shown as a form, a price and code, and is sent. */

import { generateContracts } from '../../../shared/contracts/generate.ts';
import type { GenerationId } from '../../../shared/contracts/generate-batch.ts';
import type { GenerationContract } from '../../../shared/contracts/generation-contract.ts';
import { type TestCaseName, testCaseFields, testCases, testCaseText } from '../../../shared/contracts/test-cases.ts';
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';
import { bodyOf, type Values } from './fields.ts';

/** The outcomes of a test other than success. */
export type Ending = Exclude<TestCaseName, 'webhook_refused'>;

/** Without the test case about webhooks, because a task of the dashboard has none. */
export const endings = (Object.keys(testCases) as TestCaseName[]).filter((name) => name !== 'webhook_refused');

const isEnding = (name: string | undefined): name is Ending => endings.some((one) => one === name);

/** The request that the playground sends. */
export interface Generation {
  readonly operation: GenerationId;
  readonly body: Values;
  readonly mode: TokenMode;
  readonly clientReference?: string | undefined;
}

export interface Request extends Generation {
  readonly contract: GenerationContract;
  readonly values: Values;
  readonly ending: Ending | undefined;
}

/** A test case is written into the first text of a request, or into its client reference if it has no text. */
function withEnding(body: Values, ending: Ending): Pick<Generation, 'body' | 'clientReference'> {
  const field = testCaseFields.find((name) => typeof body[name] === 'string');
  const written = testCaseText(ending);
  return field
    ? { body: { ...body, [field]: `${String(body[field])} ${written}` } }
    : { body, clientReference: written };
}

/** The values of an earlier request, and the test case that it had in test mode. */
export function earlierRequest(
  body: Values,
  clientReference = '',
): { readonly values: Values; readonly ending: Ending | undefined } {
  const field = testCaseFields.find((name) => typeof body[name] === 'string');
  const text = field === undefined ? clientReference : String(body[field]);
  const [written = '', name] = /\s*\[test:(\w+)[^\]]*\]$/.exec(text) ?? [];
  if (!isEnding(name)) return { values: body, ending: undefined };
  if (field === undefined) return { values: body, ending: name };
  return { values: { ...body, [field]: text.slice(0, -written.length) }, ending: name };
}

/**
 * A label without the test case at its end, which the dashboard has added. In a long label, the test case may be cut
 * off.
 */
export const withoutTestCase = (label: string): string => {
  const start = label.lastIndexOf(' [');
  return start > 0 && '[test:'.startsWith(label.slice(start + 1, start + 7)) ? label.slice(0, start) : label;
};

export function requestOf(
  operation: GenerationId,
  mode: TokenMode,
  values: Values,
  ending: Ending | undefined,
): Request {
  const contract: GenerationContract = generateContracts[operation];
  const body = bodyOf(values);
  const chosen = mode === 'test' ? ending : undefined;
  return { operation, mode, contract, values, ending, body, ...(chosen && withEnding(body, chosen)) };
}
