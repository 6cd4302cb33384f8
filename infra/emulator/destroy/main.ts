/** `npm run destroy:local`: removes everything that `npm run deploy:local` created. */
import { existsSync, rmSync } from 'node:fs';
import { demoFile } from '../../local/demo-account.ts';
import { adoptEnvironment } from '../adopt-environment.ts';
import { stopInBackground } from '../background-process.ts';
import { deleteToolkit } from '../bootstrap-toolkit.ts';
import { dashboardSecretNames } from '../dashboard-process.ts';
import { deleteLogGroups } from '../delete-log-groups.ts';
import { emulatedStage, emulatorDirectory, emulatorEnvironment, isEmulatorReady } from '../emulated-stage.ts';
import { deleteLocalSecret } from '../local-secrets.ts';
import { engineFiles } from '../offline-engine-process.ts';
import { paymentSecretNames } from '../payment-sandbox-process.ts';
import { deployedApp, runCdk } from '../run-cdk.ts';
import { socialSecretNames } from '../social-sandbox-process.ts';

async function main(): Promise<void> {
  const stage = emulatedStage();
  await stopInBackground('offline-engine');
  await stopInBackground('payment-sandbox');
  await stopInBackground('dashboard');
  await stopInBackground('social-sandbox');
  rmSync(demoFile(emulatorDirectory), { force: true });
  rmSync(engineFiles, { recursive: true, force: true });
  if (!(await isEmulatorReady(stage))) {
    process.stdout.write(
      `No emulator responds at ${stage.emulatorUrl}: one that was stopped has forgotten the stage.\n`,
    );
    return;
  }
  process.stdout.write('Destroying …\n');
  adoptEnvironment(emulatorEnvironment(stage));
  await runCdk(stage, ['destroy', '--all', '--force', ...(existsSync(deployedApp) ? ['--app', deployedApp] : [])]);
  rmSync(deployedApp, { recursive: true, force: true });
  const { offline } = stage.engines;
  const secretNames = [
    ...(offline ? [offline.secretName] : []),
    ...paymentSecretNames(stage),
    ...dashboardSecretNames(stage),
    ...socialSecretNames(stage),
  ];
  for (const name of secretNames) await deleteLocalSecret(name);
  await deleteToolkit();
  // Last, because a function that was still running writes to its log group, which creates it again.
  await deleteLogGroups(stage.name);
  process.stdout.write('Everything was deleted except the keys in KMS, which are scheduled for deletion.\n');
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
