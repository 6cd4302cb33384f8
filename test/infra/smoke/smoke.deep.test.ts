/** The smoke test of a deployment passes on a service that works, finds one that does not, and refuses live tokens. */
import { expect, test } from 'vitest';
import { client } from '../../../client/client.ts';
import { smoke } from '../../../infra/smoke/smoke.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import { serviceInTests } from '../../support/test-service.ts';

const host = await serviceInTests();
const live = await host.account();
const { token } = await host.token(testAccountOf(live.accountId));

async function run(bearer: string, download: typeof fetch = fetch) {
  const lines: string[] = [];
  const api = client({ baseUrl: host.url, token: bearer });
  const isPassed = await smoke(api, (line) => lines.push(line), download);
  return { isPassed, failed: lines.filter((line) => !line.startsWith('✓')), lines };
}

test('all smoke checks pass with a test token, and no credits of the live account are used', async () => {
  const { isPassed, lines } = await run(token);
  expect({ isPassed, lines }).toEqual({
    isPassed: true,
    lines: [
      '✓ the service is healthy',
      '✓ a sentence becomes a file',
      '✓ a failed task is refunded',
      '✓ an invalid request is rejected',
    ],
  });
  expect(await host.standing(live.accountId)).toEqual({ balance: 1000, tasks: 0 });
});

test('a result that cannot be downloaded fails its smoke check, and the remaining checks are still run', async () => {
  const { isPassed, failed } = await run(token, async () => new Response('no', { status: 403 }));
  expect({ isPassed, failed }).toEqual({
    isPassed: false,
    failed: ['✗ a sentence becomes a file: not as expected'],
  });
});

test('the smoke test refuses a live token before anything is charged', async () => {
  await expect(run(live.token)).rejects.toThrow('pass a test token');
  expect(await host.standing(live.accountId)).toEqual({ balance: 1000, tasks: 0 });
});
