/**
 * The service in a process of its own, whose memory and files a test measures; this module is also the program of that
 * process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from '../../../infra/local/host.ts';

/** The environment variable with the service's folder, which the program has. */
const folderVariable = 'SOAKED_SERVICE_FOLDER';

interface Ready {
  readonly url: string;
  /** The URLs of the service's own parts. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Resource usage of the process after a garbage collection. */
interface Measurement {
  readonly heapUsed: number;
  readonly executions: { readonly running: number; readonly ended: number };
}

async function serve(dataDir: string): Promise<void> {
  const service = await startService({
    port: 0,
    dataDir,
    inMemory: false,
    urlPolicy: 'local',
    engineCompletion: 'callback',
    engine: { latencyMs: 0, failure: 'none' },
    pace: 0.05,
    onDatabaseExit(reason) {
      process.stderr.write(`${reason}\n`);
      process.exit(1);
    },
  });
  const measure = (): Measurement => {
    globalThis.gc?.();
    const all = service.stateMachines.executions();
    const running = all.filter(({ status }) => status === 'RUNNING').length;
    return { heapUsed: process.memoryUsage().heapUsed, executions: { running, ended: all.length - running } };
  };
  process.on('message', (name: string) => {
    if (name === 'measure') process.send?.(measure());
    else void service.invoke(name, {}).then((result) => process.send?.(result ?? null));
  });
  // The service ends when the test that started it closes the connection, or dies.
  process.once('disconnect', () => void service.close().finally(() => process.exit(0)));
  process.send?.({ url: service.url, environment: service.environment } satisfies Ready);
}

export async function soakedService(environment: Readonly<Record<string, string>>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'soaked-service-'));
  const child = fork(fileURLToPath(import.meta.url), {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      POWERTOOLS_LOG_LEVEL: 'SILENT',
      [folderVariable]: dataDir,
      ...environment,
    },
    // Keeps compiled code even if it was not used for a while, because compiling it again would look like growth of the
    // memory.
    execArgv: ['--expose-gc', '--no-flush-bytecode'],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  /** The child's next message; rejects if the process ends before it. */
  async function nextMessage(): Promise<unknown> {
    const ended = new AbortController();
    const end = once(child, 'exit', ended).then(() => Promise.reject(new Error(`the service ended: ${stderr}`)));
    const [message] = (await Promise.race([once(child, 'message', ended), end])) as [unknown];
    end.catch(() => undefined);
    ended.abort();
    return message;
  }
  const ask = (name: string): Promise<unknown> => {
    const response = nextMessage();
    child.send(name);
    return response;
  };
  return {
    ...((await nextMessage()) as Ready),
    stderr: () => stderr,
    measure: () => ask('measure') as Promise<Measurement>,
    invoke: ask,
    /** The number of open files and sockets. */
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
    async close() {
      // After the disconnection, nothing reports the end of the output.
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const folder = process.env[folderVariable];
if (folder !== undefined) await serve(folder);
