/** `npm run emulator`: an emulator of AWS on this machine, until it is told to stop. */
import { emulatedStage, requireEmulator } from './emulated-stage.ts';
import { startMinistack } from './ministack.ts';

const next = 'Deploy to it with "npm run deploy:local".\n';

async function attach(): Promise<void> {
  const stage = emulatedStage();
  await requireEmulator(stage);
  process.stdout.write(`LocalStack answers at ${stage.emulatorUrl}. ${next}`);
}

async function run(): Promise<void> {
  const stage = emulatedStage();
  const { ended, stop } = await startMinistack(stage);
  process.stdout.write(`MiniStack runs at ${stage.emulatorUrl}, in memory; Ctrl-C ends it. ${next}`);
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

const kinds: Readonly<Record<string, () => Promise<void>>> = { ministack: run, localstack: attach };

async function main(): Promise<void> {
  const { EMULATOR: kind = 'ministack' } = process.env;
  const start = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!start) throw new Error(`EMULATOR must be one of ${Object.keys(kinds).join(', ')}, and is "${kind}".`);
  await start();
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
