/** Puts the stages into an app: two stacks for each, checked against the rules of cdk-nag. */
import { App, type AppProps, type Environment, Tags, Validations } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { Bundles } from './bundles.ts';
import { DataStack } from './data-stack.ts';
import { ServiceStack } from './service-stack.ts';
import { nobodysAccount, type Stage } from './stages.ts';

/** Bound to no account, so that no command can deploy it by mistake. */
export const unbound = (stage: Stage): Stage => ({ account: nobodysAccount, ...stage });

/** An emulated stage is bound to the account of emulators, whichever credentials are around. */
const environmentOf = ({ account, region, emulatorUrl }: Stage): Environment =>
  emulatorUrl
    ? { account: nobodysAccount, region: 'us-east-1' }
    : { ...(account && { account }), ...(region && { region }) };

function addStage(app: App, stage: Stage, bundles: Bundles): void {
  const props = { stage, env: environmentOf(stage), terminationProtection: stage.isProduction };
  const data = new DataStack(app, `GenerationService-${stage.name}-Data`, props);
  const service = new ServiceStack(app, `GenerationService-${stage.name}-Service`, { ...props, data, bundles });
  for (const stack of [data, service]) {
    Tags.of(stack).add('service', 'generation-service');
    Tags.of(stack).add('stage', stage.name);
  }
}

/** As new apps are: with everything that the CDK mended since, where a mend would change what others have deployed. */
export const serviceApp = (props: AppProps = {}): App =>
  new App({
    ...props,
    context: {
      ...recommendedFlags,
      // A part that another stack uses can not be taken away from it.
      '@aws-cdk/core:defaultCrossStackReferences': 'strong',
      // Whatever CloudFormation's schemas have against a template is told before it is deployed.
      '@aws-cdk/core:strictCfnValidateErrors': true,
      ...props.context,
    },
  });

export function addStages(app: App, stages: readonly Stage[], bundles: Bundles): void {
  for (const stage of stages) addStage(app, stage, bundles);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
}
