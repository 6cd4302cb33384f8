import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runChild } from '../../offline-engine/run-child.ts';
import { WorkFailure } from '../../offline-engine/work-failure.ts';
import { eventually } from './engine-client.ts';

const script = (code: string, changes: Partial<Parameters<typeof runChild>[0]> = {}) =>
  runChild({
    program: process.execPath,
    arguments: ['-e', code],
    input: 'what it reads',
    timeLimitSeconds: 20,
    signal: new AbortController().signal,
    ...changes,
  });
const forever = 'setInterval(() => {}, 1000)';

describe('a child process', () => {
  it('reads its input and returns its output', async () => {
    expect((await script('process.stdin.pipe(process.stdout)')).toString()).toBe('what it reads');
  });

  it('receives input parts only as fast as it reads them, and ends when it stops reading', async () => {
    let given = 0;
    async function* parts() {
      for (; given < 1000; given += 1) yield Buffer.alloc(2 ** 20);
    }
    const code = 'process.stdin.once("data", () => process.exit())';
    await script(code, { input: parts() });
    expect(given).toBeLessThan(100);
  });

  it('is stopped if its input fails, with that error', async () => {
    async function* parts() {
      yield Buffer.from('one');
      throw new Error('no second part');
    }
    await expect(script(forever, { input: parts() })).rejects.toThrow('no second part');
  });

  it('is killed by the operating system at its limit of CPU time', async () => {
    const limits = { cpuSeconds: 1, fileBytes: 2 ** 20 };
    await expect(script('for (;;);', { limits, timeLimitSeconds: 120 })).rejects.toThrow(/ended with/);
  });

  it('cannot write a larger file than its limit', async () => {
    const path = join(tmpdir(), `limited-${randomUUID()}`);
    const code = `require('node:fs').writeFileSync(${JSON.stringify(path)}, Buffer.alloc(3 * 2 ** 20))`;
    try {
      await expect(script(code, { limits: { cpuSeconds: 60, fileBytes: 2 ** 20 } })).rejects.toThrow(/ended with/);
      expect((await stat(path)).size).toBeLessThanOrEqual(2 * 2 ** 20);
    } finally {
      await rm(path, { force: true });
    }
  });

  it('cannot use more memory than its limit, where the system enforces one', async () => {
    const limits = { cpuSeconds: 60, fileBytes: 2 ** 20, memoryBytes: 256 * 2 ** 20 };
    const use = (megabytes: number) => {
      const given = ['if=/dev/zero', 'of=/dev/null', 'count=1', `bs=${megabytes * 2 ** 20}`];
      const run = runChild({ program: 'dd', arguments: given, input: '', timeLimitSeconds: 120, limits });
      return run.then(
        () => 'ended',
        () => 'failed',
      );
    };
    expect(await use(1)).toBe('ended');
    expect(await use(512)).toBe(process.platform === 'linux' ? 'failed' : 'ended');
  });

  it('inherits no environment variables except those for finding programs and compiled code', async () => {
    process.env.SECRET_OF_THE_TEST = 'x';
    const names = (await script('console.log(Object.keys(process.env).join())')).toString();
    expect(names).toContain('PATH');
    expect(names).not.toContain('SECRET');
  });

  it('fails with its own error output if its exit status is an error', async () => {
    await expect(script('console.error("no luck"); process.exit(3)')).rejects.toThrow(/ended with 3: no luck/);
  });

  it('fails if there is no such program', async () => {
    const started = runChild({
      program: '/no/such/program',
      arguments: [],
      input: '',
      timeLimitSeconds: 1,
      signal: new AbortController().signal,
    });
    await expect(started).rejects.toThrow(/ENOENT/);
  });

  it('fails without ending the parent process if the machine has no file descriptors left', async () => {
    const module = fileURLToPath(new URL('../../offline-engine/run-child.ts', import.meta.url));
    const exhaust = `
      import { closeSync, openSync } from 'node:fs';
      import { runChild } from ${JSON.stringify(module)};
      const echo = () => runChild({ program: process.execPath, arguments: ['-e', '0'], input: '', timeLimitSeconds: 20 });
      const opened = [];
      try { for (;;) opened.push(openSync('/dev/null')); } catch {}
      const failure = await echo().catch(({ code }) => code);
      opened.forEach((file) => closeSync(file));
      await echo();
      console.log(failure);`;
    const command = 'ulimit -n 64; exec "$0" --input-type=module --eval "$1"';
    const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, exhaust]);
    expect(stdout.trim()).toMatch(/^E(MFILE|NFILE|AGAIN)$/);
  });

  it('is killed together with its own children', async () => {
    const stop = new AbortController();
    const code = `const { spawn } = require('node:child_process');
      const { pid } = spawn(process.execPath, ['-e', '${forever}']);
      console.log(pid);
      ${forever}`;
    const [grandchild] = await new Promise<number[]>((resolve, reject) => {
      const pids: number[] = [];
      const onOutput = (chunk: Buffer) => {
        pids.push(Number(chunk.toString()));
        stop.abort(new Error('not wanted'));
      };
      script(code, { signal: stop.signal, startsOthers: true, onOutput }).then(
        () => reject(new Error('it ended by itself')),
        () => resolve(pids),
      );
    });
    // A process that has ended may remain in the process list, in state Z, until its parent notices.
    const isRunning = async () => {
      const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,stat=']);
      return new RegExp(`^ *${grandchild} +[^Z]`, 'm').test(stdout);
    };
    await eventually(async () => !(await isRunning()) || undefined);
  });

  it('is killed when its time limit is reached', async () => {
    const failure = await script(forever, { timeLimitSeconds: 0.2 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WorkFailure);
    expect(failure).toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  });

  it('is killed when the signal aborts, and not started if it has already aborted', async () => {
    const stop = new AbortController();
    const running = script(forever, { signal: stop.signal });
    stop.abort(new Error('not wanted'));
    await expect(running).rejects.toThrow('not wanted');
    await expect(script(forever, { signal: stop.signal })).rejects.toThrow('not wanted');
  });
});
