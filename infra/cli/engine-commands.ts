/** The commands for engines: their keys, whether every operation has one that is ready, and recordings of their voices. */
import { acts } from '../../shared/domain/operators/acts.ts';
import { describedStage } from '../aws/described-stage.ts';
import { keySettingsOf } from '../aws/stages.ts';
import { isEngineKey, type KeyName, keyNames } from '../key-names.ts';
import { makeVoicePreviews } from '../voice-previews.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, flag, required } from './command.ts';
import { findDeployment, keySecretOf } from './deployed-service.ts';
import { checkEngines } from './engine-check.ts';
import { commandFailed } from './exit-error.ts';
import { requireStage, type Target } from './service.ts';
import { storeSecret } from './store-secret.ts';
import { table } from './text-output.ts';
import { oneOf } from './value-kinds.ts';

/** How long functions cache the value. */
const effectiveWithinMinutes = 5;

/** Reads the key from standard input, because an argument would be visible in the process list. */
async function keyFrom(input: Target['input']): Promise<string> {
  const key = (await input()).trim();
  if (!/^[\x21-\x7e]{8,4096}$/.test(key)) {
    throw commandFailed('The key on standard input must be one line of at least 8 visible characters.');
  }
  return key;
}

/** The name of the secret according to cdk.json, for a stage that is not deployed yet. @throws {ExitError} */
function describedSecret(stageName: string, name: KeyName): string | undefined {
  try {
    return keySettingsOf(describedStage(stageName), name)?.secretName;
  } catch (error) {
    throw commandFailed((error as Error).message);
  }
}

/**
 * The name of the secret; a deployed stage may have other settings than cdk.json (`-c stages=…`). @throws {ExitError}
 */
async function secretOf(
  stageName: string,
  name: KeyName,
): Promise<{ readonly isDeployed: boolean; readonly secret: string }> {
  const deployment = await findDeployment(stageName);
  const secret = deployment ? keySecretOf(deployment.outputs, name) : describedSecret(stageName, name);
  if (secret) return { isDeployed: deployment !== undefined, secret };
  throw commandFailed(
    `The stage ${stageName} ${deployment ? 'was deployed without' : 'has no'} ${isEngineKey(name) ? 'engine' : 'setting'} ${name}.`,
  );
}

const setKey = actCommand(acts.setEngineKey, {
  name: 'set-key',
  summary: `Store or replace an engine's key, read from standard input; functions may use a replaced key for up to ${effectiveWithinMinutes} more minutes.`,
  options: {
    engine: required(
      oneOf('ENGINE', keyNames),
      'The engine; youtube, for the durations of videos behind links; mercadoPago and mercadoPagoWebhooks, for PIX payments; stripe and stripeWebhooks, for subscriptions; or metaInstagram, metaFacebook and metaWebhooks, for connected pages.',
    ),
  },
  async run({ engine }, { connect, perform, target }) {
    const { isDeployed, secret } = await secretOf(requireStage(target), engine);
    const key = await keyFrom(target.input);
    const work = async () => ({ value: await storeSecret(secret, key) });
    // A stage that is not deployed yet has no log of acts, and no function that uses the key, so no act is recorded.
    const service = isDeployed ? await connect() : undefined;
    const { value } = service ? await perform(service, { ...service, work }, { engine }) : await work();
    return { engine, secret, value, effectiveWithinMinutes };
  },
  print: ({ engine, secret, value }) =>
    value === 'new'
      ? `The key of ${engine} was stored in the new secret ${secret}.`
      : `The key of ${engine} in the secret ${secret} was replaced; functions use it within ${effectiveWithinMinutes} minutes.`,
});

/** One row per route, and one for each operation without a usable route. */
const rowsOf = ({
  operation,
  isReady,
  missing,
  routes,
}: Awaited<ReturnType<typeof checkEngines>>['operations'][number]) => [
  ...(missing ? [{ operation, route: 'all', isReady, missing }] : []),
  ...routes.map(({ watermark, missing, ...route }) => ({ operation, ...route, missing, watermark })),
];

const check = command({
  name: 'check',
  summary: 'Show which routes are ready for each operation, and what is missing; fails if an operation has none.',
  run: (_values, service) => checkEngines(service),
  isSuccess: ({ isReady }) => isReady,
  rows: ({ operations }) => operations.flatMap(rowsOf),
  print({ engines, operations }) {
    const unready = operations.filter(({ isReady }) => !isReady).map(({ operation }) => operation);
    const verdict =
      unready.length === 0
        ? `Every one of the ${operations.length} operations has a route that is ready.`
        : `${unready.length} of ${operations.length} operations have no route that is ready: ${unready.join(', ')}.`;
    const keys = engines.map(({ engine, state, hint }) => ({ engine, key: state, hint }));
    return [
      table(keys, 'The service has no engines.'),
      table(operations.flatMap(rowsOf), 'There are no operations.'),
      verdict,
    ].join('\n\n');
  },
});

const previewVoices = actCommand(acts.previewVoices, {
  name: 'preview-voices',
  summary:
    'Make the recordings of voices that GET /api/v1/voices names, with the engine for voices; each costs what the engine charges for a sentence.',
  options: { again: flag('Also replace the recordings that exist, as after a change of the engine.') },
  async run({ again }, { connect, perform }) {
    const service = await connect();
    const work = async () => ({ voices: await makeVoicePreviews(service, { again }) });
    return perform(service, { ...service, work }, { again });
  },
  print: ({ voices }) => `Recordings of ${voices.length} voices were made.`,
});

export const engineCommands: readonly Command[] = [setKey, check, previewVoices];
