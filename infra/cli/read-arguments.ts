/** What a command's arguments say, held against its parameters. */
import { parseArgs } from 'node:util';
import type { Command, Parameter, Parameters } from './command.ts';
import { misused } from './exit-error.ts';

interface Given {
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
}

const isNegativeNumber = (argument: string | undefined): argument is string => /^-\d/.test(argument ?? '');

const isOption = (argument: string | undefined, { options }: Command): boolean =>
  argument?.startsWith('--') === true && Object.hasOwn(options, argument.slice(2));

/** Joins a negative number to its option: by itself it would pass for an option of its own. */
const joinNegativeNumbers = (args: readonly string[], command: Command): string[] =>
  args.flatMap((argument, position) => {
    if (isNegativeNumber(argument) && isOption(args[position - 1], command)) return [];
    const next = args[position + 1];
    return isOption(argument, command) && isNegativeNumber(next) ? [`${argument}=${next}`] : [argument];
  });

const listOf = (options: Parameters): string =>
  Object.keys({ ...options, json: {} })
    .map((name) => `--${name}`)
    .join(', ');

/** A sentence about what parseArgs refused. It repeats no value: that could be a secret in the wrong place. */
function misuseOf(error: unknown, { options }: Command): Error {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
  const named = /--([\w-]+)/.exec(message)?.[1] ?? '';
  if (named === 'json') return misused('--json takes no value.');
  const option = Object.hasOwn(options, named) ? options[named] : undefined;
  if (option) return misused(`--${named} needs a value: ${option.kind.accepts}.`);
  const name = /'(-[\w-]*)/.exec(message)?.[1] ?? 'that';
  return misused(`There is no option ${name} here: the options are ${listOf(options)}.`);
}

function parseStrictly(command: Command, args: readonly string[]) {
  const strings = Object.keys(command.options).map((name) => [name, { type: 'string' }] as const);
  try {
    return parseArgs({
      args: joinNegativeNumbers(args, command),
      options: { ...Object.fromEntries(strings), json: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
  } catch (error) {
    throw misuseOf(error, command);
  }
}

function parse(command: Command, args: readonly string[]): Given {
  const parsed = parseStrictly(command, args);
  const given = parsed.tokens.filter((token) => token.kind === 'option').map((token) => token.name);
  const repeated = given.find((name, position) => given.indexOf(name) !== position);
  if (repeated) throw misused(`--${repeated} must be given once.`);
  return { operands: parsed.positionals, options: parsed.values as Given['options'] };
}

function parameterValue(title: string, { kind, required }: Parameter<unknown>, text: string | undefined): unknown {
  if (text === undefined) {
    if (required) throw misused(`${title} is required: ${kind.accepts}.`);
    return undefined;
  }
  const value = kind.parse(text);
  if (value === undefined) throw misused(`${title} must be ${kind.accepts}.`);
  return value;
}

/** The values of a command's parameters, by name. @throws {ExitError} */
export function readArguments(command: Command, args: readonly string[]): Record<string, unknown> {
  const { operands, options } = parse(command, args);
  const expected = Object.entries(command.operands);
  if (operands.length > expected.length) {
    const takes = expected.map(([, { kind }]) => kind.placeholder).join(' ') || 'options only';
    throw misused(`There are too many arguments: the command takes ${takes}.`);
  }
  return Object.fromEntries([
    ...expected.map(([name, operand], position) => [
      name,
      parameterValue(operand.kind.placeholder, operand, operands[position]),
    ]),
    ...Object.entries(command.options).map(([name, option]) => [
      name,
      parameterValue(`--${name}`, option, options[name]),
    ]),
  ]);
}
