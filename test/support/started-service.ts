/** `npm start` as a separate process, as users run it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StartedService {
  readonly url: string;
  readonly token: string;
  readonly webhookToken: string;
  /** The service's output so far. */
  readonly output: string;
  readonly child: ChildProcess;
  /** Ends the service and returns its exit code, or the signal that killed it. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

export interface Ended {
  readonly code: number | string;
  readonly output: string;
}

const start = (environment: Record<string, string>, args: readonly string[]) =>
  spawn(process.execPath, ['--import', './infra/toolchain/require-node.mjs', 'infra/local/main.ts', ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const exitOf = async (child: ChildProcess): Promise<number | string> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? child.signalCode ?? 'unknown';
};

/** Runs the program until it exits, for tests of failing starts. */
export async function failedStart(environment: Record<string, string>, args: readonly string[] = []): Promise<Ended> {
  const child = start(environment, args);
  const texts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => texts.push(chunk));
  await once(child, 'close');
  return { code: child.exitCode ?? child.signalCode ?? 'unknown', output: Buffer.concat(texts).toString() };
}

/**
 * Starts the program; resolves once it is ready and has printed its complete greeting. By default it has a data
 * directory of its own.
 */
export async function startedService(
  environment: Record<string, string>,
  args: readonly string[] = [],
): Promise<StartedService> {
  const ownDirectory = mkdtempSync(join(tmpdir(), 'started-service-'));
  const child = start({ LOCAL_DATA_DIR: ownDirectory, ...environment }, args);
  child.once('exit', () => rmSync(ownDirectory, { recursive: true, force: true, maxRetries: 10 }));
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      output += chunk.toString();
      if (/tasks\?limit=1/.test(output) && (!args.includes('--timing') || / total .* ms\n/.test(output))) resolve();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (code, signal) => reject(new Error(`ended with ${code ?? signal}: ${output}`)));
  });
  await ready;
  const [, url = ''] = /^ready (\S+)$/m.exec(output) ?? [];
  const [token = ''] = /av_[0-9a-f]{64}/.exec(output) ?? [];
  const [webhookToken = ''] = /whk_[0-9a-f]{64}/.exec(output) ?? [];
  return {
    url,
    token,
    webhookToken,
    child,
    get output() {
      return output;
    },
    async end(signal) {
      child.kill(signal);
      return exitOf(child);
    },
  };
}
