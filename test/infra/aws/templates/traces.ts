/** Which parts of a stage X-Ray traces, and how many of the requests. */
import { expect, test } from 'vitest';
import { functionNames } from '../../../../infra/aws/grants.ts';
import { fullStage } from '../full-stage.ts';
import { type StackTemplate, synthesize } from '../synthesized.ts';

/** How many of a stage's gateways, functions and state machines record traces. */
function traced(service: StackTemplate) {
  const all = <Properties>(type: string) => Object.values(service.ofType<Properties>(type));
  return {
    gateways: all<{ TracingEnabled?: boolean }>('AWS::ApiGateway::Stage').filter(
      ({ Properties }) => Properties.TracingEnabled,
    ).length,
    functions: all<{ TracingConfig?: { Mode: string } }>('AWS::Lambda::Function').filter(
      ({ Properties }) => Properties.TracingConfig?.Mode === 'Active',
    ).length,
    workflows: all<{ TracingConfiguration?: { Enabled: boolean } }>('AWS::StepFunctions::StateMachine').filter(
      ({ Properties }) => Properties.TracingConfiguration?.Enabled,
    ).length,
    rules: all<{ SamplingRule: object }>('AWS::XRay::SamplingRule').map(({ Properties }) => Properties.SamplingRule),
  };
}

test('one call in twenty by back ends is traced through the gateway, every function and every workflow, and no other request', () => {
  expect(traced(synthesize('dev').service('dev'))).toEqual({
    gateways: 1,
    functions: functionNames.length,
    workflows: 2,
    rules: ['*/api/v1/*', '*'].map((URLPath, index) =>
      expect.objectContaining({
        URLPath,
        FixedRate: index === 0 ? 0.05 : 0,
        ReservoirSize: 0,
        Priority: 1000 + index,
        ServiceName: 'generation-service-dev/live',
        RuleName: expect.stringMatching(/^gs-dev-\w+$/),
      }),
    ),
  });
});

test.each([
  ['a stage whose settings turn traces off', fullStage('dev').service('dev')],
  ['an emulated stage', synthesize('local').service('local')],
])('%s records no traces, and has no permission to', (_, service) => {
  expect(traced(service)).toEqual({ gateways: 0, functions: 0, workflows: 0, rules: [] });
  expect(JSON.stringify(service.resources)).not.toContain('xray:');
});
