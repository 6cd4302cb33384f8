/** Runs a command line and returns its output and exit code. */
import { text as textOf } from 'node:stream/consumers';
import type { Command } from './command.ts';
import { ExitError } from './exit-error.ts';
import { parseCommandLine, usageHint } from './parse-command-line.ts';
import { printable } from './printable.ts';
import type { Environment, Service, Target } from './service.ts';
import { csv, lines } from './text-output.ts';

export interface Ending {
  readonly exitCode: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

interface Output {
  readonly result: object;
  readonly text: string;
  readonly exitCode: 0 | 1;
}

/** The environment of a command line. */
interface Surroundings extends Pick<Target, 'input'> {
  readonly environment: Environment;
}

const ofProcess: Surroundings = { environment: process.env, input: () => textOf(process.stdin) };

/** Replaces values that stand for something in the service, such as an account's id. @throws {ExitError} */
async function resolved(
  { options }: Command,
  values: Readonly<Record<string, unknown>>,
  service: Target['service'],
): Promise<Readonly<Record<string, unknown>>> {
  const found = { ...values };
  for (const [name, { kind }] of Object.entries(options)) {
    const value = values[name];
    if (typeof value === 'string' && kind.resolve) found[name] = await kind.resolve(value, service);
  }
  return found;
}

async function perform(args: readonly string[], { environment, input }: Surroundings): Promise<Output> {
  const line = await parseCommandLine(args);
  if ('help' in line) return { result: { usage: line.help }, text: line.help, exitCode: 0 };
  const { command, values, stage, form } = line;
  let connecting: Promise<Service> | undefined;
  const service = () => {
    connecting ??= import('./service.ts').then(({ connect }) => connect(stage, environment));
    return connecting;
  };
  const operator = async () => (await import('./caller.ts')).callerOf(stage, environment);
  const result = await command.run(await resolved(command, values, service), { stage, service, operator, input });
  const text = form === 'csv' ? csv(command.rows?.(result) ?? []) : (command.print?.(result) ?? lines(result));
  return { result, text, exitCode: command.isSuccess(result) ? 0 : 1 };
}

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'TimeoutError',
]);

/** Errors that the SDK throws before any request if the environment has no account or region. */
const missingSettings = [
  {
    name: 'CredentialsProviderError',
    message: /./,
    sentence: 'The environment names no AWS account: set AWS_PROFILE to a profile with credentials.',
  },
  { name: 'Error', message: /^Region is missing$/, sentence: 'The environment names no AWS region: set AWS_REGION.' },
];

async function sentenceOf(error: unknown, args: readonly string[]): Promise<string> {
  if (error instanceof ExitError)
    return error.exitCode === 2 ? `${error.message} ${await usageHint(args)}` : error.message;
  const { name, message, code } = error as Error & { readonly code?: unknown };
  const cause = typeof code === 'string' ? code : name;
  const missing = missingSettings.find((one) => one.name === name && one.message.test(message));
  if (missing) return missing.sentence;
  if (connectionErrors.has(cause)) return `The service does not respond (${cause}): is it still running?`;
  return `The command failed and may have taken effect only in part: ${message} (${cause})`;
}

const asJson = (value: object): string => printable(JSON.stringify(value));

/** Runs a command line. Never throws: errors are written to the result's stderr. */
export async function runCommandLine(args: readonly string[], surroundings = ofProcess): Promise<Ending> {
  const json = args.includes('--json');
  try {
    const { result, text, exitCode } = await perform(args, surroundings);
    return { exitCode, stdout: `${json ? asJson(result) : text}\n`, stderr: '' };
  } catch (error) {
    const sentence = await sentenceOf(error, args);
    const exitCode = error instanceof ExitError ? error.exitCode : 1;
    return { exitCode, stdout: '', stderr: `${json ? asJson({ error: sentence }) : printable(sentence)}\n` };
  }
}
