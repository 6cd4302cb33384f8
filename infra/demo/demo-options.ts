/** What the command line and the environment say of how to run the demo. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ServiceOptions } from '../local/host.ts';
import {
  parseOfflineEngineFailure,
  parseOfflineEngineLatencyMs,
} from '../local/offline-engine/offline-engine-settings.ts';
import type { Environment } from '../local/options.ts';

export interface DemoOptions {
  /** The absolute path of the folder that the results are saved in. */
  readonly outDir: string;
  readonly engine: ServiceOptions['engine'];
}

/** Long enough for a person to see progress. */
const defaultLatencyMs = '2500';

function argumentsOf(args: string[]): { out: string } {
  try {
    return parseArgs({ args, options: { out: { type: 'string', default: 'demo-output' } } }).values;
  } catch (cause) {
    throw new Error('The demo takes one option, the folder to save the results in: npm run demo -- --out DIR', {
      cause,
    });
  }
}

/** @throws {Error} with a sentence that names the option or variable and what it accepts. */
export const demoOptions = (args: string[], environment: Environment): DemoOptions => ({
  outDir: resolve(argumentsOf(args).out),
  engine: {
    latencyMs: parseOfflineEngineLatencyMs(environment.OFFLINE_ENGINE_LATENCY_MS || defaultLatencyMs),
    failure: parseOfflineEngineFailure(environment.OFFLINE_ENGINE_FAILURE),
  },
});
