/** The error codes as sections of a page, so that each has an address and can be found by its name. */
import { type ErrorCode, errors, taskErrors } from '../../shared/contracts/errors.ts';
import { retries } from '../../shared/contracts/openapi/retries.ts';
import { blocks, markdownTable, quoted } from '../reference/markdown-text.ts';

function section(code: ErrorCode): string {
  const { status, description } = errors[code];
  const { advice, key, retry } = retries[code];
  const repeated =
    retry === 'yes'
      ? `The same request can succeed later: repeat it with ${key === 'same' ? 'the same' : 'any'} \`Idempotency-Key\`.`
      : '';
  return blocks(
    `### ${quoted(code)}`,
    `Status ${status}. ${description}`,
    `**What to do**: ${advice} ${repeated}`.trim(),
  );
}

export const errorSections = (): string => blocks(...(Object.keys(errors) as ErrorCode[]).map(section));

export const taskErrorTable = (): string =>
  markdownTable(
    ['Code', 'Meaning'],
    Object.entries(taskErrors).map(([code, meaning]) => [quoted(code), meaning]),
  );
