/** Runs child processes with input only through stdin and a time limit, and leaves no process running. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { WorkFailure } from './work-failure.ts';

export interface ChildLimits {
  readonly cpuSeconds: number;
  /** The largest size of each file that the program writes. */
  readonly fileBytes: number;
  /** The most address space that the program may use; Linux only, unlimited if absent. */
  readonly memoryBytes?: number;
}

interface ChildOptions {
  readonly program: string;
  /** Arguments of this program only, never user input. */
  readonly arguments: readonly string[];
  /** The input; the next part is requested once the program has accepted the previous one. */
  readonly input: Uint8Array | string | AsyncIterable<Uint8Array>;
  /** Environment variables in addition to those that every child gets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the program starts children of its own, which must end with it. */
  readonly startsOthers?: boolean;
  readonly timeLimitSeconds: number;
  /** Limits that the operating system enforces, where it can. */
  readonly limits?: ChildLimits;
  /** Aborts the program. */
  readonly signal?: AbortSignal;
  /** Called with the program's stdout as it arrives; it is then not collected. */
  readonly onOutput?: (chunk: Buffer) => void;
}

const outputLimitBytes = 256 * 2 ** 20;
const complaintLimit = 2000;
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'NODE_COMPILE_CACHE'];
const hasProcessGroups = process.platform !== 'win32';

const inherited = () =>
  Object.fromEntries(passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));

/**
 * The shell sets the limits and then becomes the program. File sizes are in blocks of 512 bytes, or of 1024 in some
 * shells. Memory cannot be limited on macOS, nor above a lower limit that the process already has.
 */
const limited = 'ulimit -t "$1" && ulimit -f "$2" && { ulimit -v "$3" 2>/dev/null || :; } && shift 3 && exec "$@"';

const commandOf = ({ program, arguments: given, limits }: ChildOptions): readonly [string, readonly string[]] => {
  if (!limits || process.platform === 'win32') return [program, given];
  const { cpuSeconds, fileBytes, memoryBytes } = limits;
  const memory = memoryBytes === undefined ? 'unlimited' : String(Math.ceil(memoryBytes / 1024));
  const amounts = [String(cpuSeconds), String(Math.ceil(fileBytes / 512)), memory];
  return ['/bin/sh', ['-c', limited, 'sh', ...amounts, program, ...given]];
};

const start = (options: ChildOptions) => {
  const [program, given] = commandOf(options);
  const { environment, startsOthers = false } = options;
  return spawn(program, given, {
    env: { ...environment, ...inherited() },
    stdio: 'pipe',
    detached: startsOthers && hasProcessGroups,
  });
};

const isParts = (input: ChildOptions['input']): input is AsyncIterable<Uint8Array> =>
  typeof input === 'object' && Symbol.asyncIterator in input;

/** Resolves when all parts have been passed on, or the program stops reading; rejects if the parts fail. */
const feed = async (stdin: Writable, parts: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const part of parts) {
    const isRead = await new Promise<boolean>((resolve) => stdin.write(part, (error) => resolve(!error)));
    if (!isRead) return;
  }
  stdin.end();
};

const killer =
  (child: ChildProcessWithoutNullStreams, { startsOthers = false }: ChildOptions) =>
  () => {
    if (!(startsOthers && hasProcessGroups) || child.pid === undefined) return child.kill('SIGKILL');
    try {
      return process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The process group has already ended.
      return false;
    }
  };

/**
 * Runs a program and resolves with its stdout once it has ended. Rejects with the signal's reason if aborted, with a
 * WorkFailure if time runs out, and with an Error if the program cannot be started (for example because the machine is
 * out of processes or file descriptors) or fails (quoting stderr).
 */
export const runChild = (options: ChildOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { program, timeLimitSeconds, signal } = options;
    if (signal?.aborted) return reject(signal.reason);
    const child = start(options);
    // A child that could not be started has no streams, so they are accessed only later.
    child.once('error', reject);
    if (child.pid === undefined) return;
    const kill = killer(child, options);
    const output: Buffer[] = [];
    let outputBytes = 0;
    let complaint = '';
    let stopped: unknown;
    const stop = (reason: unknown) => {
      stopped ??= reason;
      kill();
    };
    const abort = () => stop(signal?.reason);
    const timeIsUp = () =>
      stop(new WorkFailure('PROVIDER_TIMEOUT', `${program} ran for more than ${timeLimitSeconds} s.`));
    const timer = setTimeout(timeIsUp, timeLimitSeconds * 1000);
    signal?.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      if (!options.onOutput) {
        outputBytes += chunk.length;
        if (outputBytes <= outputLimitBytes) return output.push(chunk);
        return stop(new Error(`${program} wrote more than ${outputLimitBytes} bytes`));
      }
      try {
        return options.onOutput(chunk);
      } catch (error) {
        return stop(error);
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('utf8')).slice(-complaintLimit);
    });
    // Errors of the pipe are ignored: a child that ends before it has read all input breaks it, and its exit code tells
    // why.
    child.stdin.on('error', () => undefined);
    if (isParts(options.input)) feed(child.stdin, options.input).catch(stop);
    else child.stdin.end(options.input);
    child.on('close', (code) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (stopped !== undefined) reject(stopped);
      else if (code === 0) resolve(Buffer.concat(output));
      else reject(new Error(`${program} ended with ${code}: ${complaint.trim()}`));
    });
  });
