/** The stages that the service is deployed to, as `cdk.json` describes them: read once, and refused where it is wrong. */
import * as z from 'zod';
import { defaultEngines } from '../../shared/catalog/engines.ts';

const stageNames = ['local', 'dev', 'prod'] as const;
export type StageName = (typeof stageNames)[number];

/** How long CloudWatch can keep logs: other numbers it refuses, and only when they are deployed. */
const logRetentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922];

/** An object that has these settings and no others. */
const settings = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, keys = [] }: z.core.$ZodRawIssue) =>
      code === 'unrecognized_keys'
        ? `has no setting ${(keys as string[]).join(', ')}: there are ${Object.keys(shape).join(', ')}`
        : 'must be an object of settings',
  });

const secretName = z
  .string()
  .regex(/^[\w/+=.@-]{1,200}$/, 'must be a name of Secrets Manager: letters, digits and /_+=.@-')
  // Secrets Manager would take such an end for its own suffix, and not find the secret by its name.
  .regex(/^(?!.*-[a-zA-Z0-9]{6}$)/, 'must not end with a hyphen and six letters or digits');

const keyLabel = z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 small letters, digits and hyphens');

const Engine = settings({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  /** The secret that holds the engine's key; an operator makes it. */
  secretName,
});

export const engineNames = ['offline'] as const;
export type EngineName = (typeof engineNames)[number];

const StageSettings = settings({
  /** Where the API is reached; without it at API Gateway's own address. The certificate is one of ACM in the same region. */
  domain: settings({
    name: z.hostname('must be a host name'),
    certificateArn: z.string().regex(/^arn:aws[\w-]*:acm:/, 'must be the ARN of a certificate of ACM'),
  }).exactOptional(),
  /** Whether a web ACL of WAF stands before the API. */
  firewall: z.boolean(),
  engines: settings({ offline: Engine.exactOptional() } satisfies Record<EngineName, z.ZodType>),
  resultsRetentionDays: z.int().min(1).max(3650),
  logRetentionDays: z
    .int()
    .refine((days) => logRetentionDays.includes(days), `must be one of ${logRetentionDays.join(', ')}`),
  /** Who is told when an alarm goes off. */
  alarmEmail: z.email('must be an email address').exactOptional(),
  /** `canary` gives new code a tenth of the calls for five minutes before it gets all of them. */
  deployment: z.enum(['canary', 'all-at-once']),
  /** A key of KMS for each label, the newest first: webhooks are signed with all of them, and all are published. */
  webhookSigningKeys: z.array(keyLabel).min(1).max(5),
  /** Keys that are used no more. They can be taken from here, and end, one deployment later. */
  retiredWebhookSigningKeys: z.array(keyLabel).default([]),
  /** Where an emulator of AWS is reached: for the stage `local` alone. */
  emulatorUrl: z.url({ protocol: /^http$/, error: 'must be an http address' }).exactOptional(),
});

export interface Stage extends z.output<typeof StageSettings> {
  readonly name: StageName;
  /** Whether its data outlive the stack, and are guarded against mistakes. */
  readonly isProduction: boolean;
}

/** What is right by itself, and wrong together. */
function contradictions({
  name,
  engines,
  emulatorUrl,
  webhookSigningKeys,
  retiredWebhookSigningKeys,
}: Stage): string[] {
  const labels = [...webhookSigningKeys, ...retiredWebhookSigningKeys];
  const missing = new Set(Object.values(defaultEngines)).difference(new Set(Object.keys(engines)));
  const plain = Object.entries(engines).filter(([, { url }]) => name !== 'local' && !url.startsWith('https:'));
  return [
    ...[...missing].map((engine) => `engines.${engine}: the catalog needs it`),
    ...plain.map(([engine]) => `engines.${engine}.url: must be an https address`),
    ...(new Set(labels).size < labels.length ? ['webhookSigningKeys: a label must be there once, retired or not'] : []),
    ...(name === 'local' && !emulatorUrl ? ['emulatorUrl: the stage local needs it'] : []),
    ...(name !== 'local' && emulatorUrl ? ['emulatorUrl: is for the stage local alone'] : []),
  ];
}

const refuse = (problems: readonly string[]): never => {
  throw new Error(`The stages of cdk.json can not be read:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
};

function readStage(name: StageName, given: unknown): Stage {
  const { data, error } = StageSettings.safeParse(given);
  if (error) return refuse(error.issues.map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`));
  const stage = { ...data, name, isProduction: name === 'prod' };
  const problems = contradictions(stage);
  return problems.length > 0 ? refuse(problems.map((problem) => `${name}.${problem}`)) : stage;
}

/** Settings that are given on the command line come as text. */
function parsed(stages: unknown): unknown {
  if (typeof stages !== 'string') return stages;
  try {
    return JSON.parse(stages);
  } catch (cause) {
    throw new Error('The context "stages" must be JSON: the settings of each stage by its name.', { cause });
  }
}

const unknownStage = (name: unknown): never => {
  throw new Error(`There is no stage "${String(name)}": the stages are ${stageNames.join(', ')}.`);
};

export interface StageContext {
  /** `-c stage=<name>`; all of them without it. */
  readonly stage?: unknown;
  /** The settings of each, by its name. */
  readonly stages?: unknown;
}

/** @throws {Error} that says what is wrong, and what would be accepted */
export function readStages({ stage, stages }: StageContext): readonly Stage[] {
  const given = z.record(z.string(), z.unknown()).safeParse(parsed(stages)).data ?? {};
  const stray = Object.keys(given).find((name) => !stageNames.some((known) => known === name));
  if (stray !== undefined) return unknownStage(stray);
  const asked = stage === undefined ? stageNames : stageNames.filter((name) => name === stage);
  return asked.length > 0 ? asked.map((name) => readStage(name, given[name])) : unknownStage(stage);
}
