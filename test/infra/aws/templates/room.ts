/** CloudFormation's quotas for a stack leave room for a service of 80 functions. */
import { beforeAll, describe, expect, test } from 'vitest';
import { functionNames } from '../../../../infra/aws/grants.ts';
import { routes } from '../../../../infra/hosting.ts';
import { type DeployedStack, type Synthesized, synthesize } from '../synthesized.ts';

const plannedFunctions = 80;
/** The largest capability by far is generation, with an operation for each type of task. */
const plannedInOneCapability = 35;

/** A tenth below what CloudFormation accepts. */
const quota = { resources: 450, outputs: 180, templateBytes: 900_000 };

let app: Synthesized;
beforeAll(() => {
  app = synthesize('prod');
}, 240_000);

const sizeOf = ({ resources, outputs }: DeployedStack): typeof quota => ({
  resources: Object.keys(resources).length,
  outputs: Object.keys(outputs).length,
  templateBytes: Buffer.byteLength(JSON.stringify({ resources, outputs })),
});

/** As if everything in a stack grew with its functions, although some of it stays as it is. */
const grown = (stack: DeployedStack, factor: number): typeof quota => {
  const { resources, outputs, templateBytes } = sizeOf(stack);
  return { resources: resources * factor, outputs: outputs * factor, templateBytes: templateBytes * factor };
};

/** The function that publishes the dashboard stays the only one of its stack. */
const functionsIn = (stack: DeployedStack): number =>
  stack.stack.stackName.endsWith('-Pages') ? 0 : Object.keys(stack.ofType('AWS::Lambda::Function')).length;

const expectRoom = (size: typeof quota, stack: DeployedStack): void => {
  for (const [name, limit] of Object.entries(quota))
    expect(size[name as keyof typeof quota], `${name} of ${stack.stack.stackName}`).toBeLessThan(limit);
};

describe('no stack exceeds a quota of CloudFormation', () => {
  test('when a capability has 35 functions', () => {
    const capabilities = app.stacks('prod').filter((stack) => functionsIn(stack) > 0);
    expect(capabilities.reduce((sum, stack) => sum + functionsIn(stack), 0)).toBe(functionNames.length);
    for (const stack of capabilities) expectRoom(grown(stack, plannedInOneCapability / functionsIn(stack)), stack);
  });

  test('when all 80 functions have a route', () => {
    const joining = app.stacks('prod').filter((stack) => functionsIn(stack) === 0);
    const routed = joining.filter((stack) => Object.keys(stack.ofType('AWS::ApiGateway::Method')).length > 0);
    expect(routed).toHaveLength(1);
    for (const stack of routed) {
      const { outputs } = sizeOf(stack);
      // Its outputs are for operators: none belongs to a route.
      expectRoom({ ...grown(stack, plannedFunctions / routes.length), outputs }, stack);
    }
    for (const stack of joining) expectRoom(sizeOf(stack), stack);
  });
});

test('functions and alarms can be removed, because no stack imports them, except on an emulator', () => {
  const imports = (stage: string) => [
    ...JSON.stringify(
      synthesize(stage)
        .stacks(stage)
        .map(({ resources }) => resources),
    ).matchAll(/"Fn::ImportValue":"[^"]*:ExportsOutput[A-Za-z]*?(Functions|Alarms)/g),
  ];
  expect(imports('prod')).toEqual([]);
  expect(imports('dev')).toEqual([]);
  expect(imports('local')).not.toEqual([]);
}, 240_000);
