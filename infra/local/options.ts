/** Reads the local service's options from the command line and the environment. */
import { parseArgs } from 'node:util';
import { type ProviderFakeName, providerFakes } from '../../fakes/provider-fakes.ts';
import {
  offlineEngineFailures,
  parseOfflineEngineFailure,
  parseOfflineEngineLatencyMs,
} from '../../offline-engine/offline-engine-settings.ts';
import { likenessPolicies } from '../../shared/contracts/likeness-consent.ts';
import type { UrlPolicy } from '../../shared/platform/url-policy.ts';
import type { ServiceOptions } from './host.ts';
import { localDataDir, memoryDirIn } from './service-file.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const defaultPort = 3000;

function portOf(text: string | undefined): number {
  if (text === undefined || text === '') return defaultPort;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`PORT must be a number from 0 to 65535, but is "${text}".`);
  return port;
}

function oneOf<Value extends string>(
  variable: string,
  values: readonly Value[],
  environment: Environment,
): Value | undefined {
  const given = environment[variable];
  if (given === undefined || given === '') return undefined;
  const value = values.find((candidate) => candidate === given);
  if (value === undefined) throw new Error(`${variable} must be one of ${values.join(', ')}, but is "${given}".`);
  return value;
}

const policies: readonly UrlPolicy[] = ['local', 'public'];
const completions = ['callback', 'polling'] as const;
const fakeNames = Object.keys(providerFakes) as ProviderFakeName[];

/** The output of `npm start -- --help`; docs/local-service.md describes the options in more detail. */
const help = `Usage: npm start -- [--memory] [--engine NAME] [--timing]

Starts the service on this machine, until Ctrl-C.

Options:
  --memory       Store nothing: data is lost when the service stops.
  --engine NAME  What makes the results: ${['offline', ...fakeNames].join(', ')}; offline by default.
  --timing       Print how long the start took, and which part of it is this project's.
  --help         Print this text.

Environment variables:
  PORT                       The port on 127.0.0.1; ${defaultPort} by default.
  LOCAL_DATA_DIR             Where data and keys are stored; .local by default.
  URL_POLICY                 Which URLs clients may send: ${policies.join(', ')}; local by default.
  LIKENESS_CONSENT           Whether uses of a person's likeness need a declaration: ${likenessPolicies.join(', ')}; ${likenessPolicies[0]} by default.
  OFFLINE_ENGINE_LATENCY_MS  Minimum duration of each job; 0 by default.
  OFFLINE_ENGINE_FAILURE     How each job fails: ${offlineEngineFailures.join(', ')}; none by default.
  OFFLINE_ENGINE_COMPLETION  How jobs report their end: ${completions.join(', ')}; callback by default.
  POWERTOOLS_LOG_LEVEL       INFO logs one line per request; ERROR by default.
  DYNAMODB_ENDPOINT          A DynamoDB other than the bundled one.
  DYNAMODB_LOCAL_HOME        The folder of DynamoDB Local, for machines without the bundled database.
`;

/** The help text, if the command line asks for it. */
export const helpAsked = (args: readonly string[]): string | undefined =>
  args.includes('--help') || args.includes('-h') ? help : undefined;

/** Reads the options. npm treats `npm start --memory` as an option of its own and passes it on in the environment. */
function optionsAsked(args: string[], environment: Environment) {
  try {
    const options = {
      memory: { type: 'boolean', default: false },
      engine: { type: 'string' },
      timing: { type: 'boolean', default: false },
    } as const;
    const { values } = parseArgs({ args, options });
    const engine = values.engine ?? environment.npm_config_engine;
    return {
      inMemory: values.memory || environment.npm_config_memory === 'true',
      engine,
      timed: values.timing || environment.npm_config_timing === 'true',
    };
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${message.split('. ')[0]}: the options are --memory, --engine, --timing and --help.`, {
      cause: error,
    });
  }
}

/** The fake of a provider; undefined for the offline engine alone. */
function fakeNamed(name = 'offline'): ProviderFakeName | undefined {
  const fake = fakeNames.find((candidate) => candidate === name);
  if (fake || name === 'offline') return fake;
  throw new Error(`--engine must be one of ${['offline', ...fakeNames].join(', ')}, but is "${name}".`);
}

/** The options of `npm start`: those of the service, and further ones. */
export interface StartOptions extends Omit<ServiceOptions, 'onDatabaseExit'> {
  /** Whether to print how long the start of the service took. */
  readonly timed: boolean;
}

/** @throws {Error} whose message names the variable or option and what it accepts */
export function serviceOptions(args: string[], environment: Environment): StartOptions {
  const { inMemory, engine, timed } = optionsAsked(args, environment);
  return {
    timed,
    port: portOf(environment.PORT),
    dataDir: inMemory ? memoryDirIn(localDataDir(environment)) : localDataDir(environment),
    inMemory,
    fake: fakeNamed(engine),
    urlPolicy: oneOf('URL_POLICY', policies, environment) ?? 'local',
    likenessConsent: oneOf('LIKENESS_CONSENT', likenessPolicies, environment) ?? likenessPolicies[0],
    engineCompletion: oneOf('OFFLINE_ENGINE_COMPLETION', completions, environment) ?? 'callback',
    engine: {
      latencyMs: parseOfflineEngineLatencyMs(environment.OFFLINE_ENGINE_LATENCY_MS),
      failure: parseOfflineEngineFailure(environment.OFFLINE_ENGINE_FAILURE),
    },
  };
}
