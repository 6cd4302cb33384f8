/** How often the service checks whether its dependencies respond. */
import { afterAll, expect, test } from 'vitest';
import { reachability } from '../../shared/platform/reachability.ts';
import { settingsOf } from '../../shared/platform/settings.ts';
import { localServer } from '../support/local-server.ts';

let requests = 0;
let status = 200;

const aws = await localServer((request, response) => {
  request.resume();
  requests += 1;
  response.writeHead(status).end();
});
afterAll(() => aws.close());

test('the health check tests each dependency at most once in five seconds, and then notices changes', async () => {
  let now = 0;
  let databaseChecks = 0;
  const environment = {
    AWS_ENDPOINT_URL: aws.url,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
    RESULTS_BUCKET: 'results',
    WEBHOOK_QUEUE_URL: `${aws.url}/000000000000/webhooks`,
  };
  const database = async () => {
    databaseChecks += 1;
    return true;
  };
  const parts = reachability({ settings: settingsOf(environment), clock: { now: () => now }, database });

  const all = await Promise.all(Array.from({ length: 50 }, () => parts.check()));
  now = 4999;
  all.push(await parts.check());
  expect(new Set(all.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ database: true, storage: true, queue: true })]),
  );
  expect([databaseChecks, requests]).toEqual([1, 2]);

  status = 500;
  now = 5000;
  expect(await parts.check()).toEqual({ database: true, storage: false, queue: false });
  expect([databaseChecks, requests]).toEqual([2, 4]);
});
