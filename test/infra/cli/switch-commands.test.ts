import { afterAll, expect, it } from 'vitest';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();
const account = await service.newAccount();
const options = ['--account', account, '--name', 'server', '--scopes', 'all'];
const token = (await service.done<{ token: string }>('token', 'create', ...options)).token;

afterAll(() => service.close());

/** Sends a dry run after every function's cached catalog has become stale. */
async function askAgain() {
  service.advance(30_000);
  const response = await fetch(`${service.url}/api/v1/generate/voice`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-dry-run': 'true' },
    body: JSON.stringify({ text: 'Olá', voice: 'sarah' }),
  });
  return { status: response.status, body: await response.text() };
}

it('the switch command turns a task type off and on again within 30 seconds', async () => {
  expect(await askAgain()).toMatchObject({ status: 200 });

  expect(await service.done('switch', 'set', 'voice', 'off')).toEqual({
    type: 'voice',
    operation: 'generateVoice',
    state: 'off',
    effectiveWithinSeconds: 30,
  });
  expect(await askAgain()).toEqual({ status: 503, body: expect.stringContaining('PROVIDER_UNAVAILABLE') });
  const { switches } = await service.done<{ switches: { name: string; state: string }[] }>('switch', 'show');
  expect(switches.filter(({ state }) => state === 'off')).toEqual([{ name: 'voice', state: 'off' }]);

  await service.done('switch', 'set', 'voice', 'on');
  expect(await askAgain()).toMatchObject({ status: 200 });
});

it('the switch command turns off the creation of Studio products, which then responds with its declared error', async () => {
  expect(await service.done('switch', 'set', 'createStudioProduct', 'off')).toMatchObject({ state: 'off' });
  service.advance(30_000);
  const response = await fetch(`${service.url}/api/v1/studio/products`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ images: ['https://example.com/a.png'], title: 'a', description: 'b' }),
  });
  expect({ status: response.status, body: await response.text() }).toEqual({
    status: 503,
    body: expect.stringContaining('FEATURE_DISABLED'),
  });
});

it('the switch command states when the switch takes effect', async () => {
  const { exitCode, stdout } = await service.admin(['switch', 'set', 'voice', 'off']);

  expect(exitCode).toBe(0);
  expect(stdout).toBe('voice will be off within 30 seconds.\n');
});

it.each([
  ['an operation that is never off', ['getProfile', 'off'], 'TYPE must be one of image, image-edit, '],
  ['an unknown task type', ['everything', 'off'], 'TYPE must be one of image, image-edit, '],
  ['an invalid state', ['voice', 'maybe'], 'on|off must be one of on, off.'],
  ['a missing state', ['voice'], "Missing required argument 'on|off'."],
  ['a third argument', ['voice', 'off', 'now'], 'Too many arguments'],
])('the switch command rejects %s', async (_, operands, sentence) => {
  const { exitCode, stdout, stderr } = await runCommandLine(['switch', 'set', ...operands]);

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(sentence);
});
