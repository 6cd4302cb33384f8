import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { routeCommands } from '../../../infra/cli/route-commands.ts';
import type { Service } from '../../../infra/cli/service.ts';
import { taskTypes } from '../../../shared/contracts/task-types.ts';
import { failuresThatOpen } from '../../../shared/domain/generation/circuit.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { givenTarget } from './given-target.ts';
import { type OperatedService, startOperatedService } from './operated-service.ts';

let service: OperatedService;

beforeAll(async () => {
  service = await startOperatedService({ fake: 'fal-fake' });
});
afterAll(() => service.close());
afterEach(() => service.done('catalog', 'reset', 'routes'));

interface Shown {
  readonly type: string;
  readonly engine: string;
}

const routesOf = async (...args: string[]) => {
  service.advance(30_000);
  return (await service.done<{ routes: Shown[] }>('route', 'show', ...args)).routes;
};

it('the route command shows the routes of every task type through the engines of the service', async () => {
  const routes = await routesOf();
  expect(routes.filter(({ engine }) => engine === 'offline').map(({ type }) => type)).toEqual(taskTypes);
  expect(new Set(routes.map(({ engine }) => engine))).toEqual(new Set(['fal', 'clips', 'offline']));
});

it('`route use` sets the engines of a task type in the given order, until the routes are reset', async () => {
  const engines = async () => (await routesOf('--type', 'image')).map(({ engine }) => engine);
  const byDefault = await engines();
  expect(byDefault).toEqual(['fal', 'fal', 'offline']);
  await service.done('route', 'use', '--type', 'image', '--engines', 'offline,fal');
  expect(await engines()).toEqual(['offline', 'fal', 'fal']);
  await service.done('catalog', 'reset', 'routes', '--member', 'image');
  expect(await engines()).toEqual(byDefault);
});

it('the route command shows open circuits', async () => {
  const { circuits, clock } = service.context;
  const taskOf = (accountId: string) => ({ accountId, route: 'offline/voice', createdAt: clock.now() }) as const;
  const shown = async () => (await service.admin(['route', 'show', '--type', 'voice'])).stdout;
  for (const [accountId, state] of [
    ['first', 'open for some accounts'],
    ['second', 'open for some accounts'],
    ['third', 'open'],
  ] as const) {
    for (let failures = 0; failures < failuresThatOpen; failures += 1) await circuits.recordFailure(taskOf(accountId));
    service.advance(5_000);
    expect(await shown()).toMatch(new RegExp(`^voice  offline/voice +${state}$`, 'm'));
  }
  for (const accountId of ['first', 'second', 'third']) await circuits.recordSuccess(taskOf(accountId));
  service.advance(5_000);
  expect(await shown()).toMatch(/^voice {2}offline\/voice +closed$/m);
});

it.each([
  [
    'an engine that the service does not have',
    ['use', '--type', 'image', '--engines', 'bedrock,fal'],
    'This service has no engine bedrock; tasks sent there would fail. It has fal, offline.',
  ],
  ['an unknown engine', ['use', '--type', 'image', '--engines', 'dalle'], 'must be one or more of offline, fal'],
  ['the engine of test mode', ['use', '--type', 'image', '--engines', 'test'], 'must be one or more of offline, fal'],
  ['a repeated engine', ['use', '--type', 'image', '--engines', 'fal,fal'], 'must be one or more of offline, fal'],
  ['an unknown task type', ['use', '--type', 'poem', '--engines', 'fal'], 'must be one of image, image-edit'],
])('the route command rejects %s', async (_, args, sentence) => {
  const { exitCode, stderr } = await service.admin(['route', ...args]);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain(sentence);
});

it.each([
  ['voice', 'None of these engines supports tasks of type voice.', 'bedrock'],
  ['image', 'This service has no engine offline; tasks sent there would fail. It has fal, bedrock.', 'offline'],
])('`route use` rejects engines that the service cannot use for %s', async (type, sentence, engine) => {
  const use = routeCommands.find(({ name }) => name === 'use');
  const service = { settings: { engines: 'fal,bedrock' }, clock: systemClock };
  const target = givenTarget(service as unknown as Service);
  await expect(use?.run({ type, engines: [engine], reason: 'Tried by a test.' }, target)).rejects.toThrow(sentence);
});
