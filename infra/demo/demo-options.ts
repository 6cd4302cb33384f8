/** Reads the demo's options from the command line and the environment. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  parseOfflineEngineFailure,
  parseOfflineEngineLatencyMs,
} from '../../offline-engine/offline-engine-settings.ts';
import type { ServiceOptions } from '../local/host.ts';
import type { Environment } from '../local/options.ts';

const namedShows = ['all', 'images', 'videos'] as const;

export interface DemoOptions {
  readonly show: (typeof namedShows)[number] | 'speech';
  /** The absolute path of the folder for the results. */
  readonly outDir: string;
  readonly engine: ServiceOptions['engine'];
}

/** The default speed of the engine, slow enough to show progress; images and videos take long anyway. */
const defaultLatencyMs = { speech: '2500', images: '1000', videos: '0', all: '0' } as const;

const usage =
  'The demo takes two options, images, videos or all instead of speech and the folder to save the results in: npm run demo -- --images --out DIR';

function argumentsOf(args: string[]) {
  const options = {
    out: { type: 'string', default: 'demo-output' },
    images: { type: 'boolean', default: false },
    videos: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ args, options }).values;
  } catch (cause) {
    throw new Error(usage, { cause });
  }
}

/**
 * Reads the options. npm treats `npm run demo --images` as an option of its own and passes it on in the environment.
 * @throws {Error} whose message names the option or variable and what it accepts
 */
export function demoOptions(args: string[], environment: Environment): DemoOptions {
  const given = argumentsOf(args);
  const show = namedShows.find((name) => given[name] || environment[`npm_config_${name}`] === 'true') ?? 'speech';
  return {
    show,
    outDir: resolve(given.out),
    engine: {
      latencyMs: parseOfflineEngineLatencyMs(environment.OFFLINE_ENGINE_LATENCY_MS || defaultLatencyMs[show]),
      failure: parseOfflineEngineFailure(environment.OFFLINE_ENGINE_FAILURE),
    },
  };
}
