/** The CDK app of the sample stages, synthesized with functions that contain no code. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { addStages, type Packages, serviceApp } from '../../../infra/aws/app.ts';
import type { Bundles, FunctionBundle } from '../../../infra/aws/bundles.ts';
import { functionNames } from '../../../infra/aws/grants.ts';
import { readStages } from '../../../infra/aws/stages.ts';
import { sampleStages } from './sample-stages.ts';

export interface Resource<Properties> {
  readonly Type: string;
  readonly Properties: Properties;
  readonly DeletionPolicy?: string;
  readonly UpdatePolicy?: object;
}

type Outputs = Readonly<Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: string } }>>;

/** A template, or several templates that are read as one. */
export interface StackTemplate {
  readonly resources: Readonly<Record<string, Resource<unknown>>>;
  readonly outputs: Outputs;
  /** The resources of a type by their logical ids. */
  ofType<Properties = Readonly<Record<string, unknown>>>(type: string): Readonly<Record<string, Resource<Properties>>>;
  /** The only resource of a type. */
  one<Properties = Readonly<Record<string, unknown>>>(type: string): Resource<Properties>;
}

/** One stack of the app, as a deployment creates it. */
export interface DeployedStack extends StackTemplate {
  readonly stack: Stack;
}

/** The stacks that only stages with a dashboard have. */
const dashboardParts = ['Headers', 'Site', 'Identity', 'Operators', 'Pages'] as const;
type DashboardPart = (typeof dashboardParts)[number];

export interface Synthesized {
  readonly app: App;
  /** The directory of the cloud assembly. */
  readonly directory: string;
  data(stage: string): DeployedStack;
  /**
   * All stacks except those of the data and the dashboard, merged into one: imported values are replaced by what they
   * refer to.
   */
  service(stage: string): StackTemplate;
  dashboard(stage: string, part: DashboardPart): DeployedStack;
  stacks(stage: string): readonly DeployedStack[];
}

/** Creates the sample stages, with some settings of one of them replaced. */
export const stagesWith = (name: keyof typeof sampleStages, replaced: object = {}): object => ({
  ...sampleStages,
  [name]: { ...sampleStages[name], ...replaced },
});

const emptyBundle = (directory: string): FunctionBundle => {
  mkdirSync(directory);
  const path = join(directory, 'index.mjs');
  writeFileSync(path, `// ${directory}`);
  writeFileSync(`${path}.map`, '{}');
  return { directory, path, bytes: 0, inputs: {}, imports: [] };
};

const emptyBundles = (root: string): Bundles => ({
  functions: Object.fromEntries(functionNames.map((name) => [name, emptyBundle(join(root, name))])),
  metafile: { inputs: {}, outputs: {} },
});

function emptyPackages(root: string): Packages {
  const site = join(root, 'site');
  mkdirSync(site);
  writeFileSync(join(site, 'index.mjs'), '// site');
  return { bundles: emptyBundles(root), site };
}

function templateOf(resources: StackTemplate['resources'], outputs: Outputs): StackTemplate {
  const byType = new Map<string, Record<string, Resource<unknown>>>();
  for (const [id, resource] of Object.entries(resources)) {
    const same = byType.get(resource.Type) ?? {};
    same[id] = resource;
    byType.set(resource.Type, same);
  }
  const ofType = (type: string) => (byType.get(type) ?? {}) as never;
  return {
    resources,
    outputs,
    ofType,
    one(type) {
      const [found, ...others] = Object.values<Resource<never>>(ofType(type));
      if (!found || others.length > 0) throw new Error(`There is not one ${type}, but ${others.length} more.`);
      return found;
    },
  };
}

/** Rejects a template with circular dependencies between its resources. */
function deployedStack(stack: Stack, { template }: { readonly template: object }): DeployedStack {
  const { Resources, Outputs = {} } = Template.fromJSON(template).toJSON() as {
    Resources: StackTemplate['resources'];
    Outputs?: Outputs;
  };
  return { stack, ...templateOf(Resources, Outputs) };
}

/** The values that stacks pass to each other, by `Fn::ImportValue` and `Fn::GetStackOutput`. */
function passedBy(stacks: readonly DeployedStack[]): ReadonlyMap<string, unknown> {
  const values = stacks.flatMap(({ stack, outputs }) =>
    Object.entries(outputs).flatMap(([name, { Value, Export }]) => [
      [`${stack.stackName}.${name}`, Value] as const,
      ...(Export ? [[Export.Name, Value] as const] : []),
    ]),
  );
  return new Map(values);
}

function received(value: unknown, passed: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => received(item, passed));
  if (typeof value !== 'object' || value === null) return value;
  const { 'Fn::ImportValue': exported, 'Fn::GetStackOutput': output } = value as {
    'Fn::ImportValue'?: string;
    'Fn::GetStackOutput'?: { readonly StackName: string; readonly OutputName: string };
  };
  const name = output ? `${output.StackName}.${output.OutputName}` : exported;
  if (name !== undefined && passed.has(name)) return received(passed.get(name), passed);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, received(item, passed)]));
}

/** Logical ids that occur in several stacks are prefixed; no exported value has such an id. */
function readAsOne(stacks: readonly DeployedStack[], passed: ReadonlyMap<string, unknown>): StackTemplate {
  const resources: Record<string, Resource<unknown>> = {};
  for (const { stack, resources: own } of stacks)
    for (const [id, resource] of Object.entries(own))
      resources[id in resources ? `${stack.stackName}.${id}` : id] = received(resource, passed) as Resource<unknown>;
  const service = stacks.find(({ stack }) => stack.stackName.endsWith('-Service'));
  return templateOf(resources, received(service?.outputs ?? {}, passed) as Outputs);
}

const shared = new Map<string, Synthesized>();

/** Synthesizes one stage or all. Tests in one process share stages with the same settings, and only read them. */
export function synthesize(stage = 'all', stages: object = sampleStages): Synthesized {
  const key = (name: string): string => JSON.stringify([name, stages]);
  const known = shared.get(key(stage)) ?? shared.get(key('all')) ?? synthesizeAnew(stage, stages);
  shared.set(key(stage), known);
  return known;
}

let root: string | undefined;
let packages: Packages | undefined;

/** Vitest ends its processes with SIGTERM. */
process.once('SIGTERM', () => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
  process.kill(process.pid, 'SIGTERM');
});

/** The construct tree and stack traces are off, because no test reads them. */
const untraced = {
  treeMetadata: false,
  stackTraces: false,
  analyticsReporting: false,
  context: { 'aws:cdk:disable-creation-stack-traces': true },
};

/** The files of the assembly are removed when the process exits. */
function synthesizeAnew(stage: string, stages: object): Synthesized {
  // Validation is off: `npm run check:templates` checks the templates against CloudFormation's schemas, which here
  // would take most of a synthesis.
  process.env.CDK_VALIDATION = 'false';
  root ??= mkdtempSync(join(tmpdir(), 'cdk-'));
  packages ??= emptyPackages(root);
  const directory = mkdtempSync(join(root, 'cdk.out-'));
  const app = serviceApp({ ...untraced, outdir: directory });
  addStages(app, readStages({ stage, stages }), packages);
  const assembly = app.synth();
  const known = new Map<string, readonly DeployedStack[]>();
  const stacks = (name: string): readonly DeployedStack[] => {
    const prefix = `GenerationService-${name}-`;
    const own = app.node.children.filter((child): child is Stack => child.node.id.startsWith(prefix));
    const read =
      known.get(name) ?? own.map((stack) => deployedStack(stack, assembly.getStackArtifact(stack.artifactId)));
    known.set(name, read);
    return read;
  };
  const isData = ({ stack }: DeployedStack): boolean => stack.stackName.endsWith('-Data');
  const isPart = ({ stack }: DeployedStack, part: DashboardPart): boolean => stack.stackName.endsWith(`-${part}`);
  const isOfService = (one: DeployedStack): boolean =>
    !(isData(one) || dashboardParts.some((part) => isPart(one, part)));
  const merged = new Map<string, StackTemplate>();
  return {
    app,
    directory,
    stacks,
    data(name) {
      const [data] = stacks(name).filter(isData);
      if (!data) throw new Error(`The stage ${name} has no stack with data.`);
      return data;
    },
    dashboard(name, part) {
      const [found] = stacks(name).filter((one) => isPart(one, part));
      if (!found) throw new Error(`The stage ${name} has no stack ${part}.`);
      return found;
    },
    service(name) {
      const passed = passedBy(stacks(name).filter((one) => !isData(one)));
      const read = merged.get(name) ?? readAsOne(stacks(name).filter(isOfService), passed);
      merged.set(name, read);
      return read;
    },
  };
}

type Intrinsic = Readonly<Record<string, unknown>>;

/** A template's value as text: values that are known only at deployment are in angle brackets. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [name = '', argument] = Object.entries(value as Intrinsic)[0] ?? [];
  if (name === 'Fn::Join') return (argument as [string, unknown[]])[1].map(textOf).join('');
  return `<${name === 'Fn::GetAtt' ? (argument as string[]).join('.') : String(argument)}>`;
}
