/** The search for anything that a customer, a gateway or a log mentions. */
import { findAnything } from '../../shared/domain/search/find-anything.ts';
import { type Command, commandOnTarget, required } from './command.ts';
import { usageError } from './exit-error.ts';
import type { Target } from './service.ts';
import { table } from './text-output.ts';
import { textOf } from './value-kinds.ts';

const longestText = 2048;

/** The text, or standard input for `-`, because arguments are visible in the process list. @throws {ExitError} */
async function searched(text: string, input: Target['input']): Promise<string> {
  const given = text === '-' ? (await input()).trim() : text.trim();
  if (given !== '' && given.length <= longestText) return given;
  throw usageError(`The text on standard input must have 1 to ${longestText} characters.`);
}

const find = commandOnTarget({
  name: 'find',
  summary: 'Find accounts, tokens, tasks, orders, subscriptions, cases and pages by anything that names them.',
  operands: {
    text: required(
      textOf('TEXT', 1, longestText),
      'An e-mail address, the beginning of a name, an id, the last 4 to 8 characters of a token, a client reference, a payment at a gateway, the request that created a task, the URL of a result or a page; - reads it from standard input, as for a whole token.',
    ),
  },
  async run({ text }, { service, input }) {
    const wanted = await searched(text, input);
    const { found, hasMore } = await findAnything(await service(), wanted);
    return { found: found.map(({ accountId = null, ...thing }) => ({ ...thing, accountId })), hasMore };
  },
  rows: ({ found }) => found,
  print: ({ found, hasMore }) =>
    [
      table(
        found.map(({ accountId, email, name, ...thing }) => ({ ...thing, accountId, email, name })),
        'Nothing was found. A search compares whole texts, except that the beginning of a name is enough.',
      ),
      ...(hasMore ? ['There are more: search for something that fewer things have.'] : []),
    ].join('\n'),
});

export const findCommands: readonly Command[] = [find];
