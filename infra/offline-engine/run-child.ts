/** Other people's programs as children: text only through stdin, a time limit, and never one left behind. */
import { spawn } from 'node:child_process';
import { WorkFailure } from './ability.ts';

interface ChildOptions {
  readonly program: string;
  /** Ours alone: nothing that a user wrote belongs here. */
  readonly arguments: readonly string[];
  readonly input: Uint8Array | string;
  readonly timeLimitSeconds: number;
  readonly signal: AbortSignal;
  /** Called with what the program writes to stdout, as it comes. */
  readonly onOutput?: (chunk: Buffer) => void;
}

const outputLimitBytes = 256 * 2 ** 20;
const complaintLimit = 2000;
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

const environment = () =>
  Object.fromEntries(passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));

/**
 * Resolves with what the program wrote to stdout, and only after it has ended. Rejects with the signal's reason when
 * aborted, with a WorkFailure when the time is up, and with an Error quoting stderr when it fails.
 */
export const runChild = (options: ChildOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { program, input, timeLimitSeconds, signal } = options;
    if (signal.aborted) return reject(signal.reason);
    const child = spawn(program, options.arguments, { env: environment(), stdio: 'pipe' });
    const output: Buffer[] = [];
    let outputBytes = 0;
    let complaint = '';
    let stopped: unknown;
    const stop = (reason: unknown) => {
      stopped ??= reason;
      child.kill('SIGKILL');
    };
    const abort = () => stop(signal.reason);
    const timeIsUp = () => stop(new WorkFailure('PROVIDER_TIMEOUT', `${program} ran over ${timeLimitSeconds} s.`));
    const timer = setTimeout(timeIsUp, timeLimitSeconds * 1000);
    signal.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes > outputLimitBytes) stop(new Error(`${program} wrote over ${outputLimitBytes} bytes`));
      else {
        output.push(chunk);
        options.onOutput?.(chunk);
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('utf8')).slice(-complaintLimit);
    });
    // A child that ends before it read everything breaks the pipe; its exit code tells what happened.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', (error) => stop(error));
    child.on('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      if (stopped !== undefined) reject(stopped);
      else if (code === 0) resolve(Buffer.concat(output));
      else reject(new Error(`${program} ended with ${code}: ${complaint.trim()}`));
    });
  });
