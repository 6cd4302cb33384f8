/** The offline engine as a separate process for an emulated stage. */
import { startOfflineEngine } from '../../../offline-engine/offline-engine.ts';
import { emulatedStage } from '../emulated-stage.ts';
import { engineFiles, engineKeyVariable } from '../offline-engine-process.ts';

const { url = '' } = emulatedStage().engines.offline ?? {};
const { [engineKeyVariable]: key = '' } = process.env;

const engine = await startOfflineEngine({
  port: Number(new URL(url).port),
  key,
  filesDir: engineFiles,
  latencyMs: 0,
  failure: 'none',
  onFailure: console.error,
});
process.on('SIGTERM', () => {
  engine.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
