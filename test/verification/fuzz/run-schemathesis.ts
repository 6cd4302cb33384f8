/** Runs Schemathesis against a service in a separate process, and reads its report. */
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonEnvironment } from '../../../infra/toolchain/python-environment.ts';
import type { Identities } from './fuzz-accounts.ts';

export interface Round {
  readonly seed: number;
  /** The number of examples for each operation. */
  readonly examples: number;
  /** The phases: `all`, or those that never repeat themselves. */
  readonly phases: 'all' | 'random';
}

export interface Subject {
  readonly url: string;
  readonly identities: Identities;
  /** The URL that replaces callback URLs. */
  readonly receiver: string;
  /** Replaces the URL of every image. */
  readonly image: string;
  /** Replaces the URL of every video. */
  readonly video: string;
  /** Replaces the URL of every recording. */
  readonly sound: string;
  /** A directory for files that are only needed during the run. */
  readonly directory: string;
}

/** The part of the report that is read. */
interface Report {
  readonly complete: boolean;
  readonly operations: { readonly total: number; readonly tested: number };
  readonly failures: readonly {
    readonly code: string;
    readonly title: string;
    readonly operations: readonly string[];
  }[];
  readonly errors: readonly unknown[];
  readonly warnings: Readonly<Record<string, readonly unknown[]>>;
}

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const authorized = (name: string, token: string) => ({
  name,
  fixedHeaders: [{ name: 'Authorization', value: `Bearer ${token}` }],
});

/** The files that the configuration and the hooks read, by the environment variables that contain their paths. */
function writeInputs({ directory, identities, receiver, image, video, sound }: Subject): Record<string, string> {
  const write = (name: string, content: object): string => {
    const path = join(directory, name);
    writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
    return path;
  };
  const users = [authorized('owner', identities.owner), authorized('stranger', identities.stranger)];
  return {
    FUZZ_IDENTITIES: write('identities.json', { ...identities, receiver, image, video, sound }),
    FUZZ_USERS: write('users.json', { auth: users }),
  };
}

function problemsIn({ complete, errors, failures, operations, warnings }: Report, exitCode: number | null): string[] {
  const { tested, total } = operations;
  const problems = [
    ...failures.map(({ code, title, operations: where }) => `${title} (${code}): ${where.join(', ')}`),
    ...errors.map((error) => `Schemathesis failed: ${JSON.stringify(error)}`),
    ...(complete && tested === total
      ? []
      : [`Schemathesis stopped early: ${tested} operations of ${total} were tested.`]),
  ];
  if (exitCode === 0 || problems.length > 0) return problems;
  const warned = Object.keys(warnings).filter((name) => warnings[name]?.length);
  return [`Schemathesis ended with code ${exitCode} and warned of ${warned.join(', ') || 'nothing'}.`];
}

/** Waits for the tool to end; if this process exits first, the tool is stopped. */
async function exitCodeOf(program: string, args: readonly string[], options: SpawnOptions): Promise<number | null> {
  const child = spawn(program, args, options);
  const kill = () => void child.kill();
  process.once('exit', kill);
  try {
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    return exitCode;
  } finally {
    process.off('exit', kill);
  }
}

function argumentsOf({ url }: Subject, { seed, examples, phases }: Round, reportFile: string): string[] {
  const where = ['--config-file', beside('schemathesis.toml'), 'run', `${url}/openapi.json`];
  const how = ['--seed', String(seed), '--max-examples', String(examples), '--report-json-path', reportFile];
  return [...where, ...how, ...(phases === 'all' ? [] : ['--phases', 'fuzzing,stateful'])];
}

/** The problems found, one sentence each. @throws {Error} if the tool cannot be installed or leaves no report */
export async function runSchemathesis(subject: Subject, round: Round): Promise<string[]> {
  const { directory } = subject;
  const python = await pythonEnvironment('schemathesis');
  const reportFile = join(directory, 'report.json');
  rmSync(reportFile, { force: true });
  const exitCode = await exitCodeOf(python.program('st'), argumentsOf(subject, round, reportFile), {
    // The tool stores its memory of earlier runs in the working directory, which is deleted, so that every run starts
    // from nothing.
    cwd: directory,
    env: {
      ...process.env,
      ...writeInputs(subject),
      NO_PROXY: '127.0.0.1',
      ...python.variables,
      SCHEMATHESIS_HOOKS: beside('fuzz_hooks.py'),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (!existsSync(reportFile)) throw new Error(`Schemathesis ended with code ${exitCode} and left no report.`);
  return problemsIn(JSON.parse(readFileSync(reportFile, 'utf8')) as Report, exitCode);
}
