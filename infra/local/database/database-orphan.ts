/** Ends the database process that a killed service left running, found by its pid file. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 20;
const terminateSeconds = 5;

/** Identifies a database process of an earlier service. */
export interface RememberedDatabase {
  readonly pid: number;
  readonly port: number;
}

/** Ends the process in the pid file if it is such a database, and waits until it has ended. */
export async function endOrphan(pidPath: string): Promise<void> {
  const orphan = rememberedDatabase(pidPath);
  if (orphan) {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!isDatabase(orphan)) break;
      process.kill(orphan.pid, signal);
      for (let waited = 0; waited < terminateSeconds * 1000 && isDatabase(orphan); waited += pollMs)
        await sleep(pollMs);
    }
  }
  rmSync(pidPath, { force: true });
}

export const rememberDatabase = (pidPath: string, { pid, port }: RememberedDatabase): void =>
  writeFileSync(pidPath, `${pid} ${port}`);

export function rememberedDatabase(pidPath: string): RememberedDatabase | undefined {
  try {
    const [, pid, port] = /^(\d+) (\d+)$/.exec(readFileSync(pidPath, 'utf8')) ?? [];
    return Number(pid) > 1 ? { pid: Number(pid), port: Number(port) } : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Whether a process is still the database that the pid file names; checks the command line, because pids are reused.
 */
export function isDatabase({ pid, port }: RememberedDatabase): boolean {
  const [program = '', ...args] = commandLine(pid);
  const isOurs = basename(program).startsWith('dynoxide') || args.some((arg) => basename(arg) === 'DynamoDBLocal.jar');
  return isOurs && `${args.join(' ')} `.includes(`-port ${port} `);
}

/** The command line of a process; empty if it has ended, even if it is still a zombie. */
function commandLine(pid: number): string[] {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(' ');
  } catch {
    return [];
  }
}
