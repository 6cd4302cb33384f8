/** The statuses of video tasks, polled while a fake of fal.ai holds them in each: none can have passed already. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FalFake, startFalFake } from '../../fakes/fal/fal-fake.ts';
import { generatePlainFiles } from '../../fakes/fal/plain-files.ts';
import { choicesOf } from '../../shared/catalog/engines.ts';
import { generateContracts } from '../../shared/contracts/generate.ts';
import { untilAborted } from '../../shared/platform/until-aborted.ts';
import { eventually } from '../support/eventually.ts';
import { exampleBody } from '../support/example-body.ts';
import { falEnvironment, falKey } from '../support/fal-environment.ts';
import { giveExampleProduct } from '../support/studio-cast.ts';
import { type TestService, testService } from '../support/test-service.ts';

/** Held work of the provider, in the order of its arrival. */
const held: (() => void)[] = [];
let host: TestService;
let fake: FalFake;

beforeAll(async () => {
  fake = await startFalFake({
    key: falKey,
    concurrency: 1,
    behavior: { queueMs: 0, runMs: 0 },
    make: async (endpoint, input, signal) => {
      const released = new Promise<void>((resolve) => held.push(resolve));
      await untilAborted(released, signal);
      return generatePlainFiles(endpoint, input, signal);
    },
  });
  // What the provider does is found out when the step that waits for its callback ends and asks.
  host = await testService({ environment: falEnvironment(fake), timeoutPace: 0.1 });
});
afterAll(async () => {
  await host.close();
  await fake.close();
});

/** Lets the provider finish the work that it began first. */
const release = async () => (await eventually('work of the provider', () => held.shift()))();

/** Occupies the provider's only slot. */
const occupy = () =>
  fetch(`${fake.queueUrl}/fal-ai/nano-banana-2`, {
    method: 'POST',
    headers: { authorization: `Key ${falKey}` },
    body: JSON.stringify({ prompt: 'another one' }),
  });

/** Without the clips, whose own workflow processes them as soon as it is started. */
const operations = Object.values(generateContracts)
  .filter(({ medium }) => medium === 'video')
  .filter(({ taskType }) => choicesOf(['fal'])[taskType].routes.some((id) => id.startsWith('fal/')))
  .map(({ operationId }) => operationId);

test.for(operations)(
  'with fal.ai, %s is pending, then submitted, then processing, then completed',
  async (operationId) => {
    const { accountId, token } = await host.account({ planId: 'business' });
    if (operationId === 'generateStudioVideo')
      await giveExampleProduct(host.service.context, accountId, host.engine.inputUrls.image);
    const body = exampleBody(operationId, host.engine.inputUrls);
    const request = { token, body, headers: { 'idempotency-key': operationId } };
    const seen: string[] = [];
    const poll = async (taskId: string) => {
      host.clock.advance(1_000);
      const { status, progress } = await host.task(token, taskId);
      if (seen.at(-1) !== status) seen.push(status);
      return { status, progress };
    };
    const reached = (taskId: string, wanted: string) =>
      eventually(wanted, async () => ((await poll(taskId)).status === wanted ? wanted : undefined));

    await occupy();
    const unreachable = { AWS_ENDPOINT_URL_SFN: 'http://127.0.0.1:9' };
    const created = await host.withEnvironment(unreachable, () => host.call(operationId, request));
    expect(created.status, created.text).toBe(202);
    const { taskId } = created.body.data as { taskId: string };
    expect(await poll(taskId)).toEqual({ status: 'pending', progress: 0 });
    await host.call(operationId, request);
    await reached(taskId, 'submitted');
    await release();
    await reached(taskId, 'processing');
    await release();
    await reached(taskId, 'completed');
    expect(seen).toEqual(['pending', 'submitted', 'processing', 'completed']);
  },
);
