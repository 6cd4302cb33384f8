/** The stages that the service is deployed to, as `cdk.json` describes them: read once, and refused where it is wrong. */
import * as z from 'zod';
import type { EngineName } from '../../shared/engines/engine-names.ts';

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

/** An engine whose address is known. */
const KnownEngine = settings({ secretName });

const StageSettings = settings({
  /** Where the API is reached; without it at API Gateway's own address. The certificate is one of ACM in the same region. */
  domain: settings({
    name: z.hostname('must be a host name'),
    certificateArn: z.string().regex(/^arn:aws[\w-]*:acm:/, 'must be the ARN of a certificate of ACM'),
  }).exactOptional(),
  /** Whether a web ACL of WAF stands before the API. */
  firewall: z.boolean(),
  /** Those that there are, the first choice first. */
  engines: settings({
    offline: Engine.exactOptional(),
    fal: KnownEngine.exactOptional(),
    // The functions' roles may call its models: there is no key.
    bedrock: settings({
      // The catalog names profiles of the United States, which are to be had there alone.
      region: z.string().regex(/^us-(east|west)-\d$/, 'must be a region in the United States, such as us-west-2'),
    }).exactOptional(),
  } satisfies Record<EngineName, z.ZodType>),
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
  const isPlain = name !== 'local' && engines.offline?.url.startsWith('https:') === false;
  return [
    ...(Object.keys(engines).length === 0 ? ['engines: somebody must make what is asked for'] : []),
    ...(isPlain ? ['engines.offline.url: must be an https address'] : []),
    ...(new Set(labels).size < labels.length ? ['webhookSigningKeys: a label must be there once, retired or not'] : []),
    ...(name === 'local' && !emulatorUrl ? ['emulatorUrl: the stage local needs it'] : []),
    ...(name !== 'local' && emulatorUrl ? ['emulatorUrl: is for the stage local alone'] : []),
  ];
}

const refuse = (problems: readonly string[]): never => {
  throw new Error(`The stages of cdk.json can not be read:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
};

/** What was parsed is in the order of the settings; which engine is the first choice is said by the order in the file. */
function inOrderOf(given: unknown, engines: Stage['engines']): Stage['engines'] {
  const { engines: named } = given as { engines: Stage['engines'] };
  return Object.fromEntries((Object.keys(named) as EngineName[]).map((name) => [name, engines[name]]));
}

function readStage(name: StageName, given: unknown): Stage {
  const { data, error } = StageSettings.safeParse(given);
  if (error) return refuse(error.issues.map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`));
  const stage = { ...data, engines: inOrderOf(given, data.engines), name, isProduction: name === 'prod' };
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
