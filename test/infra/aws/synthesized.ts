/** The CDK app as `cdk.json` describes it, synthesized with functions that hold no code. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { addStages, serviceApp } from '../../../infra/aws/app.ts';
import type { Bundles, FunctionBundle } from '../../../infra/aws/bundles.ts';
import { functionNames } from '../../../infra/aws/grants.ts';
import { readStages } from '../../../infra/aws/stages.ts';

export interface Resource<Properties> {
  readonly Type: string;
  readonly Properties: Properties;
  readonly DeletionPolicy?: string;
  readonly UpdatePolicy?: object;
}

export interface StackTemplate {
  readonly stack: Stack;
  readonly count: number;
  readonly outputs: Readonly<Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: string } }>>;
  /** By their logical ids. */
  ofType<Properties = Readonly<Record<string, unknown>>>(type: string): Readonly<Record<string, Resource<Properties>>>;
  /** The only one of its type. */
  one<Properties = Readonly<Record<string, unknown>>>(type: string): Resource<Properties>;
}

export interface Synthesized {
  readonly app: App;
  /** Where the assembly is. */
  readonly directory: string;
  data(stage: string): StackTemplate;
  service(stage: string): StackTemplate;
}

/** What settings `cdk.json` has for a stage, some of them replaced. */
export const stagesWith = (name: keyof typeof cdkJson.context.stages, replaced: object = {}): object => {
  const { stages } = cdkJson.context;
  return { ...stages, [name]: { ...stages[name], ...replaced } };
};

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

/** Refuses a template whose resources wait for each other in a circle. */
function stackTemplate(stack: Stack): StackTemplate {
  const { Resources, Outputs = {} } = Template.fromStack(stack).toJSON() as {
    Resources: Record<string, Resource<never>>;
    Outputs?: StackTemplate['outputs'];
  };
  const ofType = (type: string) =>
    Object.fromEntries(Object.entries(Resources).filter(([, resource]) => resource.Type === type));
  return {
    stack,
    count: Object.keys(Resources).length,
    outputs: Outputs,
    ofType,
    one(type) {
      const [found, ...others] = Object.values(ofType(type));
      if (!found || others.length > 0) throw new Error(`there is not one ${type}, but ${others.length} more`);
      return found;
    },
  };
}

const roots: string[] = [];

afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** All stages, or the one that is asked for; what it leaves on the disk goes when the test file is through. */
export function synthesize(stage = 'all', stages: object = cdkJson.context.stages): Synthesized {
  // Templates are held against CloudFormation's schemas by `npm run check:synth`: it takes most of a synthesis.
  process.env.CDK_VALIDATION = 'false';
  const root = mkdtempSync(join(tmpdir(), 'cdk-'));
  roots.push(root);
  const directory = join(root, 'cdk.out');
  const app = serviceApp({ outdir: directory });
  addStages(app, readStages({ stage, stages }), emptyBundles(root));
  app.synth();
  const templates = new Map<string, StackTemplate>();
  const template = (id: string): StackTemplate => {
    const known = templates.get(id) ?? stackTemplate(app.node.findChild(id) as Stack);
    templates.set(id, known);
    return known;
  };
  return {
    app,
    directory,
    data: (name) => template(`GenerationService-${name}-Data`),
    service: (name) => template(`GenerationService-${name}-Service`),
  };
}

type Intrinsic = Readonly<Record<string, unknown>>;

/** A value of a template as text: what only a deployment knows stands in angle brackets. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [name = '', argument] = Object.entries(value as Intrinsic)[0] ?? [];
  if (name === 'Fn::Join') return (argument as [string, unknown[]])[1].map(textOf).join('');
  return `<${name === 'Fn::GetAtt' ? (argument as string[]).join('.') : String(argument)}>`;
}
