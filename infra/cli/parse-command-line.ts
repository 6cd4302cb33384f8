/** Parses a command line into a command and its values; commander handles the syntax and the help. */
import { CommanderError, Command as Parser } from 'commander';
import type { Command, Parameter } from './command.ts';
import { usageError } from './exit-error.ts';
import { type CommandGroup, groups } from './groups.ts';

/** The name of the program in usage lines. */
const toolName = 'npm run admin --';

const footer = `
In scripts use "npm run --silent admin -- … --json": exactly one JSON document, a failure as {"error": "…"} on stderr.
Without --stage, commands go to the service running on the data directory LOCAL_DATA_DIR (.local by default).
Exit codes: 0 success, 1 rejected or failed, 2 invalid command line.`;

/** How the result is printed. */
export type OutputForm = 'text' | 'json' | 'csv';

interface Invocation {
  readonly command: Command;
  readonly values: Readonly<Record<string, unknown>>;
  /** The deployed stage that the command is for; absent for the local service. */
  readonly stage: string | undefined;
  readonly form: OutputForm;
}

interface Help {
  readonly help: string;
}

/** Rejects repeated options. Commander would keep the last one, although the first may be the intended one. */
const givenOnce = (flag: string) => (value: string, previous: string | undefined) => {
  if (previous !== undefined) throw usageError(`${flag} must be given once.`);
  return value;
};

/** Parses a value. Messages say what is accepted and never quote the value, which may be a misplaced secret. */
function parsed(title: string, { kind, required }: Parameter<unknown>, text: string | undefined): unknown {
  if (text === undefined) {
    if (required) throw usageError(`${title} is required: ${kind.accepts}.`);
    return undefined;
  }
  const value = kind.parse(text);
  if (value === undefined) throw usageError(`${title} must be ${kind.accepts}.`);
  return value;
}

const describe = ({ description, kind }: Parameter<unknown>): string => `${description} Must be ${kind.accepts}.`;

type Receive = (command: Command, parser: Parser) => void;

function addCommand(group: Parser, command: Command, receive: Receive): void {
  const parser = group.command(command.name).description(command.summary);
  for (const operand of Object.values(command.operands)) {
    parser.argument(`<${operand.kind.placeholder}>`, describe(operand));
  }
  for (const [name, option] of Object.entries(command.options)) {
    if (option.kind.placeholder === '') {
      parser.option(`--${name}`, option.description);
      continue;
    }
    const marker = option.required ? ' Required.' : '';
    parser.option(`--${name} <${option.kind.placeholder}>`, `${describe(option)}${marker}`, givenOnce(`--${name}`));
  }
  parser.action(() => receive(command, parser));
}

function valuesOf({ operands, options }: Command, parser: Parser): Record<string, unknown> {
  const given = parser.opts<Record<string, string | true | undefined>>();
  return Object.fromEntries([
    ...Object.entries(operands).map(([name, operand], position) => [
      name,
      parsed(operand.kind.placeholder, operand, parser.args[position]),
    ]),
    ...Object.entries(options).map(([name, option]) => [name, parsed(`--${name}`, option, given[name]?.toString())]),
  ]);
}

function stageOf(parser: Parser): string | undefined {
  const { stage } = parser.optsWithGlobals<{ readonly stage?: string }>();
  if (stage !== undefined && !/^[a-z][a-z0-9-]*$/.test(stage)) {
    throw usageError('--stage must be the name of a stage, such as dev.');
  }
  return stage;
}

/** @throws {ExitError} for CSV of what is not a list */
function formOf({ rows }: Command, parser: Parser): OutputForm {
  const { csv, json } = parser.optsWithGlobals<{ readonly csv?: true; readonly json?: true }>();
  if (csv && json) throw usageError('--csv and --json cannot be combined.');
  if (csv && !rows) throw usageError('--csv is for commands that print a list: leave it out.');
  return csv ? 'csv' : json ? 'json' : 'text';
}

const sentence = (message: string): string => {
  const text = message
    .replace(/^error: /, '')
    // Removes an unexpected word, which may be a secret.
    .replace(/(got \d+): .*/, '$1')
    .replace(/(unknown command) '[^']{20,}'/, '$1')
    .replaceAll(/\s+/g, ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
};

function toolParser(write: (text: string) => void): Parser {
  return new Parser(toolName)
    .description('Operate a running Generation Service.')
    .option(
      '--stage <name>',
      'The deployed stage to operate on, in the AWS account that the environment names.',
      givenOnce('--stage'),
    )
    .option('--json', 'Print one JSON document.')
    .option('--csv', 'Print a list as CSV.')
    .addHelpText('afterAll', footer)
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => undefined })
    .exitOverride();
}

/** Loads only the commands of the chosen group, because each group imports its own clients. */
async function addGroups(parser: Parser, chosen: CommandGroup | undefined, receive: Receive): Promise<void> {
  for (const { name, summary, isCommand, load } of groups) {
    const isChosen = name === chosen?.name;
    const group = isChosen && isCommand ? parser : parser.command(name).description(summary);
    if (!isChosen) continue;
    for (const command of await load()) addCommand(group, command, receive);
  }
}

function groupIn(args: readonly string[]): CommandGroup | undefined {
  const { operands } = toolParser(() => undefined).parseOptions([...args]);
  const name = operands[0] === 'help' ? operands[1] : operands[0];
  return groups.find((group) => group.name === name);
}

/** Parses a command line. @throws {ExitError} if it is not a command or a value is invalid */
export async function parseCommandLine(args: readonly string[]): Promise<Invocation | Help> {
  let help = '';
  let invocation: Invocation | undefined;
  const parser = toolParser((text) => {
    help += text;
  });
  try {
    await addGroups(parser, groupIn(args), (command, commandParser) => {
      const form = formOf(command, commandParser);
      invocation = { command, values: valuesOf(command, commandParser), stage: stageOf(commandParser), form };
    });
    parser.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { help: help.trimEnd() };
    throw usageError(error.code === 'commander.help' ? 'A command is required.' : sentence(error.message));
  }
  if (!invocation) throw usageError('A command is required.');
  return invocation;
}

/** How to get help, shown after an invalid command line. */
export async function usageHint(args: readonly string[]): Promise<string> {
  const group = groups.find(({ name }) => args.includes(name));
  const word = group && args[args.indexOf(group.name) + 1];
  // Only names of existing commands are repeated: anything else may be a misplaced secret.
  const command = (await group?.load())?.find(({ name }) => name === word);
  return `Run "${[toolName, group?.name, command?.name].filter((part) => part !== undefined).join(' ')} --help" for usage.`;
}
