/** From a command line to what is printed and the exit code. */
import type { Command, CommandGroup } from './command.ts';
import { ExitError, misused } from './exit-error.ts';
import { groups } from './groups.ts';
import { groupHelp, help, program } from './help.ts';
import { printable } from './printable.ts';
import { readArguments } from './read-arguments.ts';
import { connect } from './service.ts';
import { lines } from './text-output.ts';

export interface Ending {
  readonly exitCode: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

interface Output {
  readonly result: object;
  readonly text: string;
}

const jsonFlag = '--json';
const stageOption = '--stage';
const helpFlags = new Set(['--help', '-h']);

const namesOf = (things: readonly { readonly name: string }[]): string => things.map(({ name }) => name).join(', ');

const groupNamed = (name: string | undefined): CommandGroup | undefined => groups.find((group) => group.name === name);

function findCommand([groupName, commandName]: readonly string[]): Command {
  const group = groupNamed(groupName);
  if (!group) throw misused(`A command begins with one of ${namesOf(groups)}, or help.`);
  const command = group.commands.find(({ name }) => name === commandName);
  if (!command) throw misused(`${group.name} is followed by one of ${namesOf(group.commands)}.`);
  return command;
}

/** The help that was asked for, if any was. */
function askedHelp(args: readonly string[]): string | undefined {
  const asked = args[0] === 'help' || args.some((argument) => helpFlags.has(argument));
  if (!asked) return undefined;
  const [name] = args.filter((argument) => argument !== 'help' && !argument.startsWith('-'));
  if (name === undefined) return help(groups);
  const group = groupNamed(name);
  if (!group) throw misused(`There is help on ${namesOf(groups)}.`);
  return groupHelp(group);
}

interface Words {
  readonly words: readonly string[];
  readonly stage?: string;
}

/** Which service a command is for is said anywhere in its line, as `--stage dev` or `--stage=dev`. */
function withoutStage(args: readonly string[]): Words {
  const position = args.findIndex((argument) => argument === stageOption || argument.startsWith(`${stageOption}=`));
  if (position < 0) return { words: args };
  const isJoined = args[position] !== stageOption;
  const stage = isJoined ? args[position]?.slice(stageOption.length + 1) : args[position + 1];
  const words = args.toSpliced(position, isJoined ? 1 : 2);
  if (!stage || !/^[a-z][a-z0-9-]*$/.test(stage))
    throw misused(`${stageOption} needs the name of a stage, such as dev.`);
  if (words.some((word) => word.startsWith(stageOption))) throw misused(`${stageOption} must be given once.`);
  return { words, stage };
}

async function perform(line: readonly string[]): Promise<Output> {
  const { words: args, stage } = withoutStage(line);
  const usage = askedHelp(args);
  if (usage !== undefined) return { result: { usage }, text: usage };
  const command = findCommand(args);
  const values = readArguments(command, args.slice(2));
  const result = await command.run(values, { stage, service: () => connect(stage) });
  return { result, text: command.print?.(result) ?? lines(result) };
}

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENOTFOUND', 'ETIMEDOUT', 'TimeoutError']);

/** What the SDK says when the environment names no account or region. Nothing has been asked of anybody then. */
const unnamed = [
  {
    name: 'CredentialsProviderError',
    message: /./,
    sentence: 'The environment names no AWS account: set AWS_PROFILE to a profile with credentials.',
  },
  { name: 'Error', message: /^Region is missing$/, sentence: 'The environment names no AWS region: set AWS_REGION.' },
];

function sentenceOf(error: unknown, groupName: string | undefined): string {
  if (error instanceof ExitError) {
    if (error.exitCode === 1) return error.message;
    const group = groupNamed(groupName);
    return `${error.message} Run "${program} ${group ? `${group.name} ` : ''}--help" for usage.`;
  }
  const { name, message, code } = error as Error & { readonly code?: unknown };
  const cause = typeof code === 'string' ? code : name;
  const missing = unnamed.find((one) => one.name === name && one.message.test(message));
  if (missing) return missing.sentence;
  if (unreachable.has(cause)) return `The service does not answer (${cause}): is it still running?`;
  return `The command failed, and may not have done what it should: ${message} (${cause})`;
}

const asJson = (value: object): string => printable(JSON.stringify(value));

/** Never throws: what went wrong is the ending's stderr. */
export async function runCommandLine(args: readonly string[]): Promise<Ending> {
  const json = args.includes(jsonFlag);
  const words = args.filter((argument) => argument !== jsonFlag);
  try {
    const { result, text } = await perform(words);
    return { exitCode: 0, stdout: `${json ? asJson(result) : text}\n`, stderr: '' };
  } catch (error) {
    const sentence = sentenceOf(error, words[0]);
    const exitCode = error instanceof ExitError ? error.exitCode : 1;
    return { exitCode, stdout: '', stderr: `${json ? asJson({ error: sentence }) : printable(sentence)}\n` };
  }
}
