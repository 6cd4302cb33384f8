/** Invocations of models on Bedrock, and the classification of failures. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BedrockFake } from '../../fakes/bedrock/bedrock-fake.ts';
import { bedrockRuntime, InvocationFailed } from '../../shared/platform/model-runtime.ts';
import { closeAll, core, open, startFake } from '../engines/bedrock/fake-subject.ts';

const before = { ...process.env };

beforeEach(() => {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'secret-access-key',
    AWS_EC2_METADATA_DISABLED: 'true',
  });
});
afterEach(async () => {
  process.env = { ...before };
  await closeAll();
});

const runtimeAt = (url: string, region?: string) => {
  process.env.AWS_ENDPOINT_URL_BEDROCK_RUNTIME = url;
  return bedrockRuntime(region === undefined ? {} : { region });
};

const failure = async (url: string, { prompt = 'a lighthouse', timeoutMs = 20_000 } = {}) => {
  const act = runtimeAt(url).invokeModel(core, { prompt }, { timeoutMs });
  const thrown: unknown = await act.catch((error: unknown) => error);
  if (!(thrown instanceof InvocationFailed)) throw new Error('the invocation did not fail', { cause: thrown });
  return thrown;
};

const silentServer = async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return open({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  });
};

const signedFor = ({ requests }: BedrockFake) => requests.map(({ headers }) => headers.authorization?.split('/')[2]);

test('a Bedrock model receives its input as JSON, and its JSON response is parsed', async () => {
  const fake = await startFake();
  const body = { prompt: 'um farol às três', seed: 1 };
  const response = await runtimeAt(fake.url).invokeModel(core, body, { timeoutMs: 20_000 });
  expect(response).toEqual({ seeds: [expect.any(Number)], finish_reasons: [null], images: [expect.any(String)] });
  expect(fake.requests).toMatchObject([
    { modelId: core, body, headers: { 'content-type': 'application/json', accept: 'application/json' } },
  ]);
});

test('Bedrock models are invoked in the given region, by default the service’s own', async () => {
  const fake = await startFake();
  for (const region of [undefined, 'us-west-2']) {
    await runtimeAt(fake.url, region).invokeModel(core, { prompt: '' }, { timeoutMs: 20_000 });
  }
  expect(signedFor(fake)).toEqual(['us-east-1', 'us-west-2']);
});

describe('a failed Bedrock call', () => {
  test.for([
    ['invalid', 'input-rejected', 'ValidationException'],
    ['wrong-model', 'misconfigured', 'ValidationException'],
    ['needs-profile', 'misconfigured', 'ValidationException'],
    ['not-allowed', 'misconfigured', 'ValidationException'],
    ['denied', 'misconfigured', 'AccessDeniedException'],
    ['missing', 'misconfigured', 'ResourceNotFoundException'],
    ['throttled', 'throttled', 'ThrottlingException'],
    ['quota', 'throttled', 'ServiceQuotaExceededException'],
    ['model-timeout', 'timeout', 'ModelTimeoutException'],
    ['unavailable', 'unavailable', 'ServiceUnavailableException'],
    ['internal-error', 'unavailable', 'InternalServerException'],
    ['model-error', 'unavailable', 'ModelErrorException'],
    ['model-not-ready', 'unavailable', 'ModelNotReadyException'],
    ['no-json', 'unavailable', 'SyntaxError'],
  ] as const)('of the kind “%s” is reported as %s after one attempt', async ([outcome, reason, fault]) => {
    const fake = await startFake();
    const { reason: reported, message } = await failure(fake.url, { prompt: `[bedrock:${outcome}]` });
    expect([reported, message]).toEqual([reason, `the model was not invoked: ${reason} (${fault})`]);
    expect(fake.requests).toHaveLength(1);
  });

  test('with a response that violates the protocol is reported as temporary', async () => {
    expect(await failure((await startFake()).url, { prompt: '[bedrock:gateway]' })).toMatchObject({
      reason: 'unavailable',
    });
  });

  test('without credentials is reported as a configuration error', async () => {
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
    const nowhere = { HOME: '/nowhere', AWS_CONFIG_FILE: '/nowhere', AWS_SHARED_CREDENTIALS_FILE: '/nowhere' };
    Object.assign(process.env, nowhere);
    expect(await failure((await startFake()).url)).toMatchObject({ reason: 'misconfigured' });
  });

  test('is reported without Bedrock’s text, the request or the key', async () => {
    const fake = await startFake();
    for (const outcome of ['invalid', 'wrong-model', 'throttled', 'denied', 'missing', 'gateway', 'no-json']) {
      const thrown = await failure(fake.url, { prompt: `a lighthouse [bedrock:${outcome}]` });
      const printed = inspect(thrown, { depth: 10, showHidden: true });
      expect(printed).not.toMatch(
        /lighthouse|malformed|identifier|too many|do not have|end of its life|upstream|<html/i,
      );
      expect(printed).not.toContain('secret-access-key');
    }
  });
});

describe('a Bedrock response that does not arrive in time', () => {
  test.for([
    ['hangs before its response', 'hang'],
    ['stops halfway through its response', 'stall'],
  ] as const)('ends with a timeout if Bedrock %s', async ([, outcome]) => {
    const fake = await startFake();
    expect(await failure(fake.url, { prompt: `[bedrock:${outcome}]`, timeoutMs: 2000 })).toMatchObject({
      reason: 'timeout',
      message: 'the model was not invoked: timeout',
    });
    expect(fake.requests).toHaveLength(1);
  });

  test('ends with a timeout even if the server accepts connections but never responds', async () => {
    const silent = await silentServer();
    expect(await failure(silent.url, { timeoutMs: 500 })).toMatchObject({ reason: 'timeout' });
  });
});

test('a Bedrock model is reported as unavailable if its endpoint refuses connections', async () => {
  const silent = await silentServer();
  await closeAll();
  expect((await failure(silent.url)).message).toBe('the model was not invoked: unavailable (ECONNREFUSED)');
});
