/** What "engine check" reports about each operation's routes. */
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type CheckedService, checkEngines } from '../../../infra/cli/engine-check.ts';
import { taskTypes } from '../../../shared/contracts/task-types.ts';
import { failuresThatOpen } from '../../../shared/domain/generation/circuit.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { createFullContext } from '../../../shared/runtime/full-context.ts';
import { localServer } from '../../support/local-server.ts';
import { startOperatedService } from './operated-service.ts';

type Result = Awaited<ReturnType<typeof checkEngines>>;

/** How the provider and Secrets Manager respond. */
let answer: readonly [status: number, body?: string];
let secret: object;
let asked: { readonly url: string | undefined; readonly key: unknown }[];

const service = await startOperatedService({ fake: 'fal-fake' });
const provider = await localServer((request, response) => {
  const { authorization, 'xi-api-key': key, vizardai_api_key: keyOfVizard } = request.headers;
  asked.push({ url: request.url, key: authorization ?? key ?? keyOfVizard });
  response.writeHead(answer[0]).end(answer[1]);
});
const aws = await localServer((_request, response) => {
  response.writeHead('__type' in secret ? 400 : 200).end(JSON.stringify(secret));
});
const account = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' };
Object.assign(process.env, { ...account, AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url, AWS_MAX_ATTEMPTS: '1' });
afterAll(async () => {
  await service.close();
  await provider.close();
  await aws.close();
});
beforeEach(() => {
  answer = [404];
  secret = {};
  asked = [];
});

const checked = async (): Promise<{ exitCode: number; result: Result }> => {
  service.advance(30_000);
  const { exitCode, stdout, stderr } = await service.admin(['engine', 'check', '--json']);
  expect(stderr).toBe('');
  return { exitCode, result: JSON.parse(stdout) as Result };
};

const operationIn = ({ operations }: Result, type: string) =>
  operations.find((one) => one.type === type) ?? expect.fail(`${type} is missing`);

it('`engine check` reports every operation of a local service as ready, and its engine keys as accepted', async () => {
  const { exitCode, result } = await checked();
  expect({ exitCode, isReady: result.isReady }).toEqual({ exitCode: 0, isReady: true });
  expect(result.engines).toEqual([
    { engine: 'offline', state: 'accepted' },
    { engine: 'fal', state: 'accepted' },
  ]);
  expect(result.operations.map(({ type }) => type)).toEqual(taskTypes);
  for (const { routes } of result.operations) {
    expect(routes.map(({ isReady }) => isReady)).toEqual(routes.map(() => true));
  }
  const { stdout } = await service.admin(['engine', 'check']);
  expect(stdout).toContain(`Every one of the ${taskTypes.length} operations has a route that is ready.`);
});

it('`engine check` fails for an operation that is switched off, and says how to switch it on', async () => {
  await service.done('switch', 'set', 'voice', 'off');
  const { exitCode, result } = await checked();
  await service.done('switch', 'set', 'voice', 'on');

  expect(exitCode).toBe(1);
  expect(operationIn(result, 'voice')).toMatchObject({
    isReady: false,
    missing: 'It is switched off: run "switch set voice on".',
  });
  expect(result.operations.filter(({ isReady }) => !isReady)).toHaveLength(1);
});

it('`engine check` does not report a route with an open circuit as ready', async () => {
  const { circuits, clock } = service.context;
  const routes = ['clips/fal', 'offline/cortes'];
  const failing = ['first', 'second', 'third'];
  const fail = async (accountId: string, route: string) => {
    const task = { accountId, route, createdAt: clock.now() };
    for (let failures = 0; failures < failuresThatOpen; failures += 1) await circuits.recordFailure(task);
  };
  for (const route of routes) for (const accountId of failing) await fail(accountId, route);
  service.advance(5_000);
  const { exitCode, stdout } = await service.admin(['engine', 'check']);

  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^generateCortes +offline\/cortes +false +The circuit is open/m);
  expect(stdout).toContain(`1 of ${taskTypes.length} operations have no route that is ready: generateCortes.`);
  for (const route of routes) {
    for (const accountId of failing) await circuits.recordSuccess({ accountId, route, createdAt: clock.now() });
  }
});

/** A deployed stage, whose keys are secrets. */
const stageWith = (engines: string): CheckedService => {
  const arn = 'arn:aws:secretsmanager:us-east-1:123456789012:secret';
  const environment = {
    [settingVariables.engines]: engines,
    [settingVariables.falQueueUrl]: provider.url,
    [settingVariables.elevenLabsUrl]: provider.url,
    [settingVariables.klapUrl]: provider.url,
    [settingVariables.vizardUrl]: provider.url,
    [settingVariables.klapKey]: `${arn}:klap`,
    [settingVariables.vizardKey]: `${arn}:vizard`,
    [settingVariables.falKey]: `${arn}:fal`,
    [settingVariables.elevenLabsKey]: `${arn}:elevenlabs`,
  };
  const context = createFullContext({ ...service.environment, ...environment });
  return { ...context, deployment: { stage: 'dev', outputs: {} } };
};

const keyOf = async (engine: string) => (await checkEngines(stageWith(engine))).engines[0];
const stored = { SecretString: 'the-stored-key' };

it.each([
  ['fal', 404, '', 'Key the-stored-key', /^\/fal-ai\/flux\/requests\/[0-]+\/status$/],
  ['klap', 404, '', 'Bearer the-stored-key', /^\/tasks\/[0-]+$/],
  ['vizard', 200, '{"code":4002,"errMsg":"no such project"}', 'the-stored-key', /^\/project\/query\/1$/],
  ['elevenlabs', 200, '{}', 'the-stored-key', /^\/v1\/user$/],
  ['elevenlabs', 401, '{"detail":{"status":"missing_permissions"}}', 'the-stored-key', /^\/v1\/user$/],
])(
  '`engine check` reports a key for %s as accepted if the provider responds with status %i and the body "%s"',
  async (engine, status, body, key, path) => {
    secret = stored;
    answer = [status, body];
    expect(await keyOf(engine)).toEqual({ engine, state: 'accepted' });
    expect(asked).toEqual([{ url: expect.stringMatching(path), key }]);
  },
);

it('`engine check` reports a Vizard key as rejected by the code in the response body', async () => {
  secret = stored;
  answer = [200, '{"code": 4001, "errMsg": "invalid API key"}'];
  expect(await keyOf('vizard')).toMatchObject({ state: 'rejected' });
});

const store = 'Store a valid one with "engine set-key --engine fal --stage dev".';

it.each([
  ['rejected', 'the provider rejects it', stored, 401, store],
  ['unknown', 'the provider fails', stored, 503, /^127\.0\.0\.1:\d+ responds with 503: try again\.$/],
  ['missing', 'no key has been stored', { __type: 'ResourceNotFoundException' }, 404, store],
  ['missing', 'its secret is being deleted', { DeletedDate: 1 }, 404, /scheduled for deletion: restore it/],
  ['unknown', 'access to its secret is denied', { __type: 'AccessDeniedException' }, 404, /AccessDeniedException/],
])(
  '`engine check` reports a key as %s if %s, and none of the engine’s routes as ready',
  async (state, _case, found, status, hint) => {
    secret = found;
    answer = [status];
    const { isReady, engines, operations } = await checkEngines(stageWith('fal'));
    expect(engines).toEqual([{ engine: 'fal', state, hint: expect.stringMatching(hint) }]);
    expect(isReady).toBe(false);
    expect(operations.flatMap(({ routes }) => routes).filter(({ isReady: ready }) => ready)).toEqual([]);
  },
);

it('`engine check` reports a key as present, and its routes as ready, if the operator is not allowed to read it', async () => {
  secret = { Name: 'fal' };
  const result = await checkEngines(stageWith('fal'));
  expect(result.engines).toEqual([{ engine: 'fal', state: 'present' }]);
  expect(operationIn(result, 'voice').isReady).toBe(true);
  expect(asked).toEqual([]);
});

it('`engine check` names the engines to add for an operation that no engine of the stage supports', async () => {
  secret = stored;
  const result = await checkEngines(stageWith('elevenlabs'));
  expect(operationIn(result, 'voice')).toMatchObject({ isReady: true });
  expect(operationIn(result, 'image')).toMatchObject({
    isReady: false,
    missing: 'No engine of this service supports it: add offline or fal or bedrock to the stage’s engines and deploy.',
    routes: [],
  });
});
