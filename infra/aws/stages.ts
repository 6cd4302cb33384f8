/** The stages of `cdk.json` and their settings, parsed once; invalid settings are rejected. */
import * as z from 'zod';
import type { ConfiguredEngineName } from '../../shared/engines/engine-names.ts';
import type { KeyName } from '../key-names.ts';
import { reservedByCognito, stageSettings } from './stage-settings.ts';

/** An AWS account that does not exist, for emulators: nothing bound to it can reach a real account. */
export const emulatedAccount = '000000000000';

/** The regions in which Elemental Inference can find the important part of a frame. */
const smartCropRegions = ['us-east-1', 'us-west-2', 'eu-west-1', 'ap-south-1', 'ap-southeast-2'];

/**
 * A stage's name has no hyphens, so that no other stage has stacks and logs with the prefix
 * `GenerationService-<name>-`.
 */
const stageName = z.string().regex(/^(?!all$)[a-z][a-z0-9]{0,19}$/);

export interface Stage extends Omit<z.output<ReturnType<typeof stageSettings>>, 'production'> {
  readonly name: string;
  readonly isProduction: boolean;
}

export type DashboardSettings = NonNullable<Stage['dashboard']>;

const withUrl = (url: string | undefined, secretName: string) => ({ ...(url && { url }), secretName });

/** The settings of a provider's key and URL, if the stage has the provider. */
export function keySettingsOf(
  { engines, mercadoPago, meta: networks, stripe: subscriptions, youtube }: Stage,
  name: KeyName,
): { readonly url?: string; readonly secretName: string } | undefined {
  if (name === 'youtube') return youtube;
  if (name === 'mercadoPago') return mercadoPago && withUrl(mercadoPago.url, mercadoPago.tokenSecretName);
  if (name === 'mercadoPagoWebhooks') return mercadoPago && { secretName: mercadoPago.webhookSecretName };
  if (name === 'stripe') return subscriptions && withUrl(subscriptions.url, subscriptions.keySecretName);
  if (name === 'stripeWebhooks') return subscriptions && { secretName: subscriptions.webhookSecretName };
  if (name === 'metaInstagram') return networks?.instagram;
  if (name === 'metaFacebook') return networks?.facebook;
  if (name === 'metaWebhooks') return networks && { secretName: networks.verifyTokenSecretName };
  return engines[name];
}

/** Settings that are valid individually but not together. */
function contradictions({
  account,
  contentCredentials,
  dashboard: pages,
  engines,
  emulatorUrl,
  isProduction,
  mercadoPago: payments,
  meta: networks,
  name,
  stripe: subscriptions,
  region,
  resultsDomain,
  webhookSigningKeys,
  retiredWebhookSigningKeys,
}: Stage): string[] {
  const labels = [...webhookSigningKeys, ...retiredWebhookSigningKeys];
  const isPlain = !emulatorUrl && engines.offline?.url.startsWith('https:') === false;
  return [
    ...(emulatorUrl && engines.aws ? ['engines.aws: emulators have no MediaConvert'] : []),
    ...(engines.aws?.smartCrop && region && !smartCropRegions.includes(region)
      ? [`engines.aws.smartCrop: is not available in ${region}, only in ${smartCropRegions.join(', ')}`]
      : []),
    ...(!emulatorUrl && payments?.url ? ['mercadoPago.url: only an emulated stage has one'] : []),
    ...(!emulatorUrl && networks?.sandboxUrl ? ['meta.sandboxUrl: only an emulated stage has one'] : []),
    ...(!emulatorUrl && subscriptions?.url ? ['stripe.url: only an emulated stage has one'] : []),
    ...(subscriptions && !subscriptions.returnUrl && !pages
      ? ['stripe.returnUrl: a stage without a dashboard must have one']
      : []),
    ...(isPlain ? ['engines.offline.url: must be an https address'] : []),
    ...(new Set(labels).size < labels.length ? ['webhookSigningKeys: a label may occur once, retired or not'] : []),
    ...(new Set(contentCredentials.keys).size < contentCredentials.keys.length
      ? ['contentCredentials.keys: a label may occur once']
      : []),
    ...(emulatorUrl && pages && !pages.emulated
      ? ['dashboard.emulated: emulators have no log-in pages of Cognito']
      : []),
    ...(emulatorUrl && (pages?.domain || pages?.google)
      ? ['dashboard: an emulated stage has no domain, and no Google']
      : []),
    ...(!emulatorUrl && pages && !pages.loginPrefix && reservedByCognito.test(name)
      ? ['dashboard.loginPrefix: is required, because the default contains the name of the stage']
      : []),
    ...(!emulatorUrl && pages?.emulated ? ['dashboard.emulated: only an emulated stage has it'] : []),
    ...(emulatorUrl && account ? ['account: an emulated stage has none'] : []),
    ...(emulatorUrl && resultsDomain ? ['resultsDomain: an emulated stage serves results from the bucket'] : []),
    ...(emulatorUrl && isProduction ? ['production: an emulated stage keeps nothing'] : []),
  ];
}

const reject = (problems: readonly string[]): never => {
  throw new Error(`The stages in cdk.json are invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
};

/** Restores the order of engines in the file, which is their preference; parsing sorts them as in the schema. */
function inOrderOf(given: unknown, engines: Stage['engines']): Stage['engines'] {
  const { engines: named = engines } = given as { engines?: Stage['engines'] };
  return Object.fromEntries((Object.keys(named) as ConfiguredEngineName[]).map((name) => [name, engines[name]]));
}

function readStage(name: string, given: unknown): Stage {
  if (!stageName.safeParse(name).success) {
    return reject([
      `${name}: a stage's name is 1 to 20 lower-case letters and digits, begins with a letter and is not "all"`,
    ]);
  }
  const { data, error } = stageSettings(name).safeParse(given);
  if (error) return reject(error.issues.map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`));
  const { production: isProduction, ...parsed } = data;
  const stage = { ...parsed, engines: inOrderOf(given, parsed.engines), name, isProduction };
  const problems = contradictions(stage);
  return problems.length > 0 ? reject(problems.map((problem) => `${name}.${problem}`)) : stage;
}

/** Settings from the command line are JSON text. */
function parsedText(stages: unknown): unknown {
  if (typeof stages !== 'string') return stages;
  try {
    return JSON.parse(stages);
  } catch (cause) {
    throw new Error('The context "stages" must be JSON: the settings of each stage by its name.', { cause });
  }
}

export interface StageContext {
  /** The value of `-c stage=<name>`; `all` checks all stages. */
  readonly stage?: unknown;
  /** The settings of the stages, by name. */
  readonly stages?: unknown;
}

/** Reads the stages. @throws {Error} that says what is invalid and what would be accepted */
export function readStages({ stage, stages }: StageContext): readonly Stage[] {
  const given = z.record(z.string(), z.unknown()).safeParse(parsedText(stages)).data ?? {};
  const known = `The stages are ${Object.keys(given).join(', ')}.`;
  if (typeof stage !== 'string') throw new Error(`Name a stage with -c stage=<name>. ${known}`);
  const asked = stage === 'all' ? Object.entries(given) : [[stage, given[stage]] as const];
  if (stage !== 'all' && !Object.hasOwn(given, stage)) throw new Error(`There is no stage "${stage}". ${known}`);
  return asked.map(([name, described]) => readStage(name, described));
}
