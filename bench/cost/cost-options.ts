/** The command line options of `npm run cost`. */
import { parseArgs } from 'node:util';

/** The maximum of polls per task, because a token may make 60 requests a minute. */
const maxPolls = 50;

/**
 * Parses the options; if no number of polls is given, clients poll when the service tells them to. @throws {Error}
 * whose message says what is accepted
 */
export function costOptions(args: string[]): { readonly polls: number | undefined } {
  const accepted = `The only option is the number of polls per task, 0 to ${maxPolls}: npm run cost -- --polls 10`;
  let text: string | undefined;
  try {
    text = parseArgs({ args, options: { polls: { type: 'string' } } }).values.polls;
  } catch (cause) {
    throw new Error(accepted, { cause });
  }
  if (text === undefined) return { polls: undefined };
  const polls = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (!(polls <= maxPolls)) throw new Error(accepted);
  return { polls };
}
