/** Runs the offline engine of an emulated stage. */
import { join } from 'node:path';
import { acceptsKey, startInBackground } from './background-process.ts';
import { emulatorDirectory } from './emulated-stage.ts';

export const engineKeyVariable = 'OFFLINE_ENGINE_KEY';

export const engineFiles = join(emulatorDirectory, 'offline-engine');

/** @throws {Error} if the engine does not start */
export const startOfflineEngineProcess = (url: string, key: string): Promise<void> =>
  startInBackground({
    name: 'offline-engine',
    program: new URL('engine/main.ts', import.meta.url),
    environment: { [engineKeyVariable]: key },
    isReady: () => acceptsKey({ url: `${url}/v1/jobs/none`, key }),
  });
