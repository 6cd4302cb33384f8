/** Runs child processes: input only through stdin, a time limit, and no process left running. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { WorkFailure } from './work-failure.ts';

interface ChildOptions {
  readonly program: string;
  /** Our own arguments only: never user input. */
  readonly arguments: readonly string[];
  readonly input: Uint8Array | string;
  /** Variables besides those that every child gets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the program starts children of its own, which must end with it. */
  readonly startsOthers?: boolean;
  readonly timeLimitSeconds: number;
  /** Ends the program. */
  readonly signal?: AbortSignal;
  /** Called with the program's output on stdout as it arrives. */
  readonly onOutput?: (chunk: Buffer) => void;
}

const outputLimitBytes = 256 * 2 ** 20;
const complaintLimit = 2000;
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];
const hasProcessGroups = process.platform !== 'win32';

const inherited = () =>
  Object.fromEntries(passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));

const start = ({ program, arguments: given, environment, startsOthers = false }: ChildOptions) =>
  spawn(program, given, {
    env: { ...inherited(), ...environment },
    stdio: 'pipe',
    detached: startsOthers && hasProcessGroups,
  });

const killer =
  (child: ChildProcessWithoutNullStreams, { startsOthers = false }: ChildOptions) =>
  () => {
    if (!(startsOthers && hasProcessGroups) || child.pid === undefined) return child.kill('SIGKILL');
    try {
      return process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended already.
      return false;
    }
  };

/**
 * Resolves with the program's output on stdout after it has ended. Rejects with the signal's reason when aborted, with
 * a WorkFailure when the time is up, and with an Error if it cannot be started (for example because the machine is out
 * of processes or file descriptors) or fails (quoting stderr).
 */
export const runChild = (options: ChildOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { program, timeLimitSeconds, signal } = options;
    if (signal?.aborted) return reject(signal.reason);
    const child = start(options);
    // A child that could not be started has no streams, so they must not be accessed before this is known.
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
      outputBytes += chunk.length;
      if (outputBytes > outputLimitBytes)
        return stop(new Error(`${program} wrote more than ${outputLimitBytes} bytes`));
      output.push(chunk);
      try {
        return options.onOutput?.(chunk);
      } catch (error) {
        return stop(error);
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('utf8')).slice(-complaintLimit);
    });
    // A child that ends before it has read all input breaks the pipe; its exit code shows why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input);
    child.on('close', (code) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (stopped !== undefined) reject(stopped);
      else if (code === 0) resolve(Buffer.concat(output));
      else reject(new Error(`${program} ended with ${code}: ${complaint.trim()}`));
    });
  });
