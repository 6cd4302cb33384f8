import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { routeCommands } from '../../../infra/cli/route-commands.ts';
import type { Service } from '../../../infra/cli/service.ts';
import { taskTypes } from '../../../shared/contracts/generate.ts';
import { failuresThatOpen } from '../../../shared/domain/generation/circuit.ts';
import { type OperatedService, startOperatedService } from './operated-service.ts';

let service: OperatedService;

beforeAll(async () => {
  service = await startOperatedService({ withFalFake: true });
});
afterAll(() => service.close());
afterEach(() => service.done('route', 'reset', '--type', 'image'));

const routesOf = async (type: string) => {
  service.advance(30_000);
  return (await service.done<{ routes: object[] }>('route', 'show', '--type', type)).routes;
};

/** Who makes images when nobody says otherwise. */
const byDefault = [{ engine: 'fal' }, { engine: 'fal' }, { engine: 'offline' }];

describe('route', () => {
  it('shows how everything is made by the engines that the service has, unless somebody says otherwise', async () => {
    service.advance(30_000);
    const { routes } = await service.done<{ routes: { type: string; engine: string }[] }>('route', 'show');
    expect(routes.filter(({ engine }) => engine === 'offline').map(({ type }) => type)).toEqual(taskTypes);
    expect(new Set(routes.map(({ engine }) => engine))).toEqual(new Set(['fal', 'offline']));
    expect(await routesOf('image')).toMatchObject(byDefault);
  });

  it('gives a type to engines in an order, and back again', async () => {
    const used = await service.done('route', 'use', '--type', 'image', '--engines', 'offline,fal');
    const names = ['offline/image', 'fal/fal-ai/nano-banana-2', 'fal/fal-ai/flux-pro/v1.1'];
    expect(used).toEqual({ type: 'image', routes: names, effectiveWithinSeconds: 30 });
    expect(await routesOf('image')).toMatchObject([{ engine: 'offline' }, { engine: 'fal' }, { engine: 'fal' }]);
    await service.done('route', 'reset', '--type', 'image');
    expect(await routesOf('image')).toMatchObject(byDefault);
  });

  it('shows whose circuit is open', async () => {
    const { circuits, clock } = service.context;
    const taskOf = (accountId: string) =>
      ({ accountId, engine: 'offline', taskType: 'voice', createdAt: clock.now() }) as const;
    const shown = async () => (await service.admin(['route', 'show', '--type', 'voice'])).stdout;
    for (const [accountId, state] of [
      ['first', 'open for some accounts'],
      ['second', 'open'],
    ] as const) {
      for (let failures = 0; failures < failuresThatOpen; failures += 1)
        await circuits.recordFailure(taskOf(accountId));
      service.advance(5_000);
      expect(await shown()).toBe(`voice  offline/voice  ${state}\n`);
    }
    await circuits.recordSuccess(taskOf('first'));
    await circuits.recordSuccess(taskOf('second'));
    expect(await routesOf('voice')).toEqual([{ type: 'voice', engine: 'offline', circuit: 'closed' }]);
  });

  const set = (choice: string) => service.admin(['route', 'set', '--type', 'image'], {}, choice);

  it('takes a choice of one’s own, by which the next task is made', async () => {
    const route = { engine: 'fal', model: 'fal-ai/x', input: '{ "prompt": prompt }', takes: { numImages: [1] } };
    const { exitCode } = await set(JSON.stringify({ routes: [route], timeLimitSeconds: 60 }));
    expect(exitCode).toBe(0);
    expect(await routesOf('image')).toEqual([{ type: 'image', ...route, circuit: 'closed' }]);
    const { engines } = await service.context.catalog.read();
    expect(engines.image.timeLimitSeconds).toBe(60);
  });

  it.each([
    ['what is no JSON', '{', 'must be JSON'],
    ['no routes', '{"routes":[]}', 'routes'],
    ['an engine that there is not', '{"routes":[{"engine":"dalle"}]}', 'engine'],
    ['an engine that the service does not have', '{"routes":[{"engine":"bedrock"}]}', 'It has fal, offline.'],
    [
      'a condition on a field that its requests do not have',
      '{"routes":[{"engine":"fal","takes":{"scale":[2]}}]}',
      'have no field scale. They have prompt',
    ],
    ['a mapping that is no expression', '{"routes":[{"engine":"fal","input":"{ \\"a\\": "}]}', 'no JSONata expression'],
    ['a setting that there is not', '{"routes":[{"engine":"fal","inputs":"x"}]}', 'inputs'],
    ['too short a limit', '{"routes":[{"engine":"fal"}],"timeLimitSeconds":29}', 'timeLimitSeconds'],
    ['a limit that no task may have', '{"routes":[{"engine":"fal"}],"timeLimitSeconds":1801}', 'timeLimitSeconds'],
  ])('refuses %s, and changes nothing', async (_, choice, sentence) => {
    const { exitCode, stderr } = await set(choice);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(sentence);
    expect(await routesOf('image')).toMatchObject(byDefault);
  });

  it.each([
    [
      'engines that do not make it',
      ['use', '--type', 'voice', '--engines', 'fal'],
      'None of these engines makes tasks',
    ],
    [
      'an engine that the service does not have',
      ['use', '--type', 'image', '--engines', 'bedrock,fal'],
      'This service has no engine bedrock, and tasks that go there would fail. It has fal, offline.',
    ],
    ['an engine that there is not', ['use', '--type', 'image', '--engines', 'dalle'], 'must be some of offline, fal'],
    ['an engine twice', ['use', '--type', 'image', '--engines', 'fal,fal'], 'must be some of offline, fal'],
    ['a type that there is not', ['reset', '--type', 'poem'], 'must be one of image, image-edit'],
  ])('refuses %s', async (_, args, sentence) => {
    const { exitCode, stderr } = await service.admin(['route', ...args]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(sentence);
  });
});

it('refuses to give a deployed stage’s tasks to engines that cdk.json does not name for it', async () => {
  const use = routeCommands.find(({ name }) => name === 'use');
  const deployed = { deployment: { stage: 'dev', outputs: {} } } as unknown as Service;
  const run = use?.run({ type: 'image', engines: ['bedrock'] }, { stage: 'dev', service: async () => deployed });
  await expect(run).rejects.toThrow(
    'This service has no engine bedrock, and tasks that go there would fail. It has fal.',
  );
});
