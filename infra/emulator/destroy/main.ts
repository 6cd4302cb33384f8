/** `npm run destroy:local`: takes back all that `npm run deploy:local` made. */
import { rmSync } from 'node:fs';
import { adoptEnvironment } from '../../local/adopt-environment.ts';
import { demoFile } from '../../local/demo-account.ts';
import { emulatedStage, emulatorDirectory, emulatorEnvironment, isEmulatorReady } from '../emulated-stage.ts';
import { deleteEngineSecret } from '../engine-secrets.ts';
import { engineFiles, stopOfflineEngine } from '../offline-engine-process.ts';
import { runCdk } from '../run-cdk.ts';

async function main(): Promise<void> {
  const stage = emulatedStage();
  await stopOfflineEngine();
  rmSync(demoFile(emulatorDirectory), { force: true });
  rmSync(engineFiles, { recursive: true, force: true });
  // An emulator that was stopped has forgotten the rest.
  if (!(await isEmulatorReady(stage))) return;
  adoptEnvironment(emulatorEnvironment(stage));
  await runCdk(stage, ['destroy', '--all', '--force']);
  for (const { secretName } of Object.values(stage.engines)) await deleteEngineSecret(secretName);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
