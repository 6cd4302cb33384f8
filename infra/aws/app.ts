/** Adds stages to an app: each has a data stack, one stack per capability, and the stacks that connect them. */
import { App, type AppProps, type Environment, Tags, Validations } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { type FunctionName, workerTimeoutSeconds } from '../hosting.ts';
import { BaseStack } from './base-stack.ts';
import type { Bundles } from './bundles.ts';
import { CapabilityStack } from './capability-stack.ts';
import { Dashboard } from './dashboard/dashboard.ts';
import { DataStack } from './data-stack.ts';
import { capabilities } from './function-files.ts';
import { pascalCase } from './pascal-case.ts';
import { isCode, isResource, makeReplaceable } from './replaceable.ts';
import { ServiceStack } from './service-stack.ts';
import { emulatedAccount, type Stage } from './stages.ts';
import { isWorkflowStep } from './state-machines.ts';

/** Binds the stage to a dummy account, so that it cannot be deployed by mistake. */
export const unbound = (stage: Stage): Stage => ({ account: emulatedAccount, ...stage });

/** The environment of a stage; an emulated one is always bound to the emulators' account, whatever the credentials. */
const environmentOf = ({ account, region, emulatorUrl }: Stage): Environment =>
  emulatorUrl
    ? { account: emulatedAccount, region: 'us-east-1' }
    : { ...(account && { account }), ...(region && { region }) };

const isWorker = (name: FunctionName): boolean => Object.hasOwn(workerTimeoutSeconds, name);

/**
 * Capabilities in order of deployment: first those with workflow steps, because workflows need the steps' functions,
 * then those with other workers, because the alarms of workers roll back the functions deployed later.
 */
function inOrder(): readonly (readonly [capability: string, names: readonly FunctionName[]])[] {
  const rank = (names: readonly FunctionName[]): number =>
    names.some(isWorkflowStep) ? 0 : names.some(isWorker) ? 1 : 2;
  return [...capabilities()].sort(([, one], [, other]) => rank(one) - rank(other));
}

/** The packages that a deployment includes. */
export interface Packages {
  readonly bundles: Bundles;
  /** The folder with the package of the function that publishes the dashboard. */
  readonly site: string;
}

function addStage(app: App, stage: Stage, { bundles, site }: Packages): void {
  const props = { stage, env: environmentOf(stage), terminationProtection: stage.isProduction };
  const id = (part: string): string => `GenerationService-${stage.name}-${part}`;
  const data = new DataStack(app, id('Data'), props);
  const base = new BaseStack(app, id('Base'), props);
  const dashboard = stage.dashboard && new Dashboard(app, { ...props, dashboard: stage.dashboard, data, base, id });
  const added: CapabilityStack[] = [];
  for (const [capability, names] of inOrder()) {
    const earlier = added.filter((one) => one.names.some(isWorker));
    const parts = { data, base, ...(dashboard && { dashboard }) };
    added.push(new CapabilityStack(app, id(pascalCase(capability)), { ...props, ...parts, bundles, names, earlier }));
  }
  const service = new ServiceStack(app, id('Service'), {
    ...props,
    data,
    base,
    ...(dashboard && { dashboard }),
    capabilities: added,
  });
  const others = [data, base, ...added, service];
  const ofDashboard = dashboard ? [...dashboard.stacks, dashboard.publish(site, others)] : [];
  for (const stack of [...others, ...ofDashboard]) {
    // Deployments can change a dashboard's domain and clients, and remove the dashboard.
    if (!stage.emulatorUrl) makeReplaceable(stack, ofDashboard.includes(stack) ? isResource : isCode);
    Tags.of(stack).add('service', 'generation-service');
    Tags.of(stack).add('stage', stage.name);
  }
}

/** Creates the app with the feature flags of a new one, so that it has all fixes of the CDK. */
export const serviceApp = (props: AppProps = {}): App =>
  new App({
    ...props,
    context: {
      ...recommendedFlags,
      // A resource that another stack uses cannot be removed, except those passed to makeReplaceable.
      '@aws-cdk/core:defaultCrossStackReferences': 'strong',
      // Violations of CloudFormation's schemas are reported before a deployment.
      '@aws-cdk/core:strictCfnValidateErrors': true,
      ...props.context,
    },
  });

export function addStages(app: App, stages: readonly Stage[], packages: Packages): void {
  for (const stage of stages) addStage(app, stage, packages);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
}
