/** The sandbox of social networks as a separate process for an emulated stage. */
import { startMetaFake } from '../../../fakes/meta/meta-fake.ts';
import { emulatedStage } from '../emulated-stage.ts';
import { socialVariables } from '../social-sandbox-process.ts';

const { meta } = emulatedStage();
const sandbox = await startMetaFake({
  appSecret: process.env[socialVariables.appSecret] ?? '',
  eventsUrl: process.env[socialVariables.eventsUrl] ?? '',
  port: Number(new URL(meta?.sandboxUrl ?? '').port),
});
process.on('SIGTERM', () => {
  sandbox.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
