/** Runs programs as children: input only through stdin, a time limit, and no process left behind. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { WorkFailure } from './work-failure.ts';

interface ChildOptions {
  readonly program: string;
  /** Ours alone: nothing that a user wrote belongs here. */
  readonly arguments: readonly string[];
  readonly input: Uint8Array | string;
  /** Variables beside those that every child gets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The program starts children of its own, which have to end with it. */
  readonly startsOthers?: boolean;
  readonly timeLimitSeconds: number;
  /** Ends the program. */
  readonly signal?: AbortSignal;
  /** Called with what the program writes to stdout, as it arrives. */
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
 * Resolves with what the program wrote to stdout, and only after it has ended. Rejects with the signal's reason when
 * aborted, with a WorkFailure when the time is up, and with an Error when it cannot be started (say because the machine
 * is out of processes or file descriptors) or fails (quoting stderr).
 */
export const runChild = (options: ChildOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { program, timeLimitSeconds, signal } = options;
    if (signal?.aborted) return reject(signal.reason);
    const child = start(options);
    // Node gives a child that could not be started no streams: nothing may be touched before this is known.
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
    const timeIsUp = () => stop(new WorkFailure('PROVIDER_TIMEOUT', `${program} ran over ${timeLimitSeconds} s.`));
    const timer = setTimeout(timeIsUp, timeLimitSeconds * 1000);
    signal?.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes > outputLimitBytes) return stop(new Error(`${program} wrote over ${outputLimitBytes} bytes`));
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
    // A child that ends before it has read everything breaks the pipe; its exit code says what happened.
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
