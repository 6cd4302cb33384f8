/** The demo in a separate process, with its own temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface DemoProcess {
  readonly outDir: string;
  /** The demo's output so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** The content of the process's folder for temporary files. */
  temporaryFiles(): readonly string[];
  interrupt(): void;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** Ends the process if it is still running, and removes its folder. */
  remove(): Promise<void>;
}

interface DemoProcessOptions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const program = ['--import', './infra/toolchain/require-node.mjs', 'infra/demo/main.ts'];

async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  await once(child, 'close');
  return child.exitCode;
}

export function demoProcess({ args = [], environment = {} }: DemoProcessOptions = {}): DemoProcess {
  const folder = mkdtempSync(join(tmpdir(), 'demo-process-'));
  const temporary = join(folder, 'temporary');
  const outDir = join(folder, 'results');
  mkdirSync(temporary);
  // The demo must not inherit settings for colors or for a service.
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [...program, '--out', outDir, ...args], {
    cwd: resolve(import.meta.dirname, '../../..'),
    env: { PATH, HOME, NODE_COMPILE_CACHE, TMPDIR: temporary, OFFLINE_ENGINE_LATENCY_MS: '600', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  const ended = exitCodeOf(child);
  return {
    outDir,
    ended,
    get stdout() {
      return written.stdout;
    },
    get stderr() {
      return written.stderr;
    },
    temporaryFiles: () => readdirSync(temporary),
    interrupt: () => void child.kill('SIGINT'),
    async remove() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
