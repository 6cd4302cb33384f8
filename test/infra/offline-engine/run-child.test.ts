import { describe, expect, it } from 'vitest';
import { runChild } from '../../../infra/offline-engine/run-child.ts';
import { WorkFailure } from '../../../infra/offline-engine/work-failure.ts';

const script = (code: string, changes: { signal?: AbortSignal; timeLimitSeconds?: number } = {}) =>
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
  it('reads its input and gives its output', async () => {
    expect((await script('process.stdin.pipe(process.stdout)')).toString()).toBe('what it reads');
  });

  it('sees nothing of our environment but where programs are', async () => {
    process.env.SECRET_OF_THE_TEST = 'x';
    const names = (await script('console.log(Object.keys(process.env).join())')).toString();
    expect(names).toContain('PATH');
    expect(names).not.toContain('SECRET');
  });

  it('fails with its own complaint when it ends badly', async () => {
    await expect(script('console.error("no luck"); process.exit(3)')).rejects.toThrow(/ended with 3: no luck/);
  });

  it('fails when there is no such program', async () => {
    const started = runChild({
      program: '/no/such/program',
      arguments: [],
      input: '',
      timeLimitSeconds: 1,
      signal: new AbortController().signal,
    });
    await expect(started).rejects.toThrow(/ENOENT/);
  });

  it('is killed when its time is up', async () => {
    const failure = await script(forever, { timeLimitSeconds: 0.2 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WorkFailure);
    expect(failure).toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  });

  it('is killed when it is no longer wanted, and is not started when it never was', async () => {
    const stop = new AbortController();
    const running = script(forever, { signal: stop.signal });
    stop.abort(new Error('not wanted'));
    await expect(running).rejects.toThrow('not wanted');
    await expect(script(forever, { signal: stop.signal })).rejects.toThrow('not wanted');
  });
});
