/** `npm run emulator`: runs an AWS emulator until it is stopped. */
import { emulatedStage } from './emulated-stage.ts';
import { startEmulator } from './start-emulator.ts';

async function main(): Promise<void> {
  const stage = emulatedStage();
  const { name, ended, stop } = await startEmulator(stage);
  process.stdout.write(
    `${name} is running at ${stage.emulatorUrl}, in memory; stop it with Ctrl-C. Deploy to it with "npm run deploy:local".\n`,
  );
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      isStopping = true;
      stop().catch(() => undefined);
    });
  }
  const sentence = await ended;
  if (!isStopping) throw new Error(sentence);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
