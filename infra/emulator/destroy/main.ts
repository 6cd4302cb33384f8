/** `npm run destroy:local`: takes back all that `npm run deploy:local` made. */
import { rmSync } from 'node:fs';
import { demoFile } from '../../local/demo-account.ts';
import { adoptEnvironment } from '../adopt-environment.ts';
import { deleteToolkit } from '../bootstrap-toolkit.ts';
import { emulatedStage, emulatorDirectory, emulatorEnvironment, isEmulatorReady } from '../emulated-stage.ts';
import { deleteEngineSecret } from '../engine-secrets.ts';
import { engineFiles, stopOfflineEngine } from '../offline-engine-process.ts';
import { runCdk } from '../run-cdk.ts';

async function main(): Promise<void> {
  const stage = emulatedStage();
  await stopOfflineEngine();
  rmSync(demoFile(emulatorDirectory), { force: true });
  rmSync(engineFiles, { recursive: true, force: true });
  if (!(await isEmulatorReady(stage))) {
    process.stdout.write(
      `No emulator answers at ${stage.emulatorUrl}: one that was stopped has forgotten the stage.\n`,
    );
    return;
  }
  process.stdout.write('Destroying …\n');
  adoptEnvironment(emulatorEnvironment(stage));
  await runCdk(stage, ['destroy', '--all', '--force']);
  const { offline } = stage.engines;
  if (offline) await deleteEngineSecret(offline.secretName);
  await deleteToolkit();
  process.stdout.write('Nothing is left of it but keys in KMS, which wait for their deletion.\n');
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
