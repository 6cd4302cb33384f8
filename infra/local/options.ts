/** Reads the local service's options from the command line and the environment. */
import { parseArgs } from 'node:util';
import type { UrlPolicy } from '../../shared/platform/url-policy.ts';
import { parseOfflineEngineFailure, parseOfflineEngineLatencyMs } from '../offline-engine/offline-engine-settings.ts';
import type { ServiceOptions } from './host.ts';
import { type ProviderFakeName, providerFakes } from './sandboxes/provider-fakes.ts';
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

const fakeNames = Object.keys(providerFakes) as ProviderFakeName[];

/** npm treats `npm start --memory` as its own option, and passes it on in the environment. */
function optionsAsked(args: string[], environment: Environment) {
  try {
    const options = { memory: { type: 'boolean', default: false }, engine: { type: 'string' } } as const;
    const { values } = parseArgs({ args, options });
    const engine = values.engine ?? environment.npm_config_engine;
    return { inMemory: values.memory || environment.npm_config_memory === 'true', engine };
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${message.split('. ')[0]}: the options are --memory and --engine.`, { cause: error });
  }
}

/** Undefined for the offline engine alone. */
function fakeNamed(name = 'offline'): ProviderFakeName | undefined {
  const fake = fakeNames.find((candidate) => candidate === name);
  if (fake || name === 'offline') return fake;
  throw new Error(`--engine must be one of ${['offline', ...fakeNames].join(', ')}, but is "${name}".`);
}

const policies: readonly UrlPolicy[] = ['local', 'public'];

/** @throws {Error} whose message names the variable or option and what it accepts. */
export function serviceOptions(args: string[], environment: Environment): Omit<ServiceOptions, 'onDatabaseExit'> {
  const { inMemory, engine } = optionsAsked(args, environment);
  return {
    port: portOf(environment.PORT),
    dataDir: inMemory ? memoryDirIn(localDataDir(environment)) : localDataDir(environment),
    inMemory,
    fake: fakeNamed(engine),
    urlPolicy: oneOf('URL_POLICY', policies, environment) ?? 'local',
    engineCompletion: oneOf('OFFLINE_ENGINE_COMPLETION', ['callback', 'polling'] as const, environment) ?? 'callback',
    engine: {
      latencyMs: parseOfflineEngineLatencyMs(environment.OFFLINE_ENGINE_LATENCY_MS),
      failure: parseOfflineEngineFailure(environment.OFFLINE_ENGINE_FAILURE),
    },
  };
}
