/**
 * `npm run deploy:local`: deploys the unchanged CDK app to an emulator, with an engine unless `--no-engines` is given,
 * sandboxes and a demo account.
 */
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { emulatedAccount } from '../../aws/stages.ts';
import { connect } from '../../cli/service.ts';
import { demoAccount } from '../../local/demo-account.ts';
import { adoptEnvironment } from '../adopt-environment.ts';
import { dashboardSecretNames, startDashboardProcess } from '../dashboard-process.ts';
import {
  emulatedStage,
  emulatorDirectory,
  emulatorEnvironment,
  requireEmulator,
  withoutMissing,
} from '../emulated-stage.ts';
import { localSecret } from '../local-secrets.ts';
import { startOfflineEngineProcess } from '../offline-engine-process.ts';
import { startPaymentSandboxProcess } from '../payment-sandbox-process.ts';
import { deployedApp, runCdk } from '../run-cdk.ts';
import { startSocialSandboxProcess } from '../social-sandbox-process.ts';

async function main(): Promise<void> {
  const described = emulatedStage();
  await requireEmulator(described);
  const { engines } = parseArgs({
    options: { engines: { type: 'boolean', default: true } },
    allowNegative: true,
  }).values;
  const stage = await withoutMissing(engines ? described : { ...described, engines: {} });
  const environment = emulatorEnvironment(stage);
  adoptEnvironment(environment);
  const { offline } = stage.engines;
  if (offline) await startOfflineEngineProcess(offline.url, await localSecret(offline.secretName));
  // The stage's functions receive the names of these secrets.
  for (const name of dashboardSecretNames(stage)) await localSecret(name);
  process.stdout.write('Deploying …\n');
  // In a folder without an app, which the CDK would synthesize first.
  await runCdk(stage, ['bootstrap', `aws://${emulatedAccount}/${environment.AWS_REGION}`], { app: tmpdir() });
  await runCdk(stage, ['deploy', '--all', '--require-approval', 'never', '--output', deployedApp]);
  const service = await connect(stage.name);
  const { token, webhookToken } = await service.acting(() => demoAccount(service, emulatorDirectory));
  const { apiUrl } = service.settings;
  await startPaymentSandboxProcess(stage, apiUrl);
  const { DashboardUrl, DashboardDomainTarget: distribution = '' } = service.deployment?.outputs ?? {};
  await startDashboardProcess(stage, { apiUrl, distribution });
  await startSocialSandboxProcess(stage, apiUrl);
  process.stdout.write(`ready ${apiUrl}

  demo account    1,000 initial credits, plan business, all scopes
  token           ${token}
  webhook token   ${webhookToken}
  PIX sandbox     ${stage.mercadoPago?.url} (paste the code of an order to pay it)
  subscriptions   ${stage.stripe?.url} (open the checkout of an order to subscribe)
  dashboard       ${DashboardUrl ? `${DashboardUrl}/account/ (sign up there)` : 'not on this emulator'}
  social sandbox  ${stage.meta?.sandboxUrl} (write as a customer of a connected page)

Convert a sentence to speech:

  curl -s ${apiUrl}/api/v1/generate/voice \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"text":"Olá! O seu vídeo está pronto.","voice":"sarah"}'

and follow it:

  curl -s '${apiUrl}/api/v1/tasks?limit=1' -H 'Authorization: Bearer ${token}'
`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
