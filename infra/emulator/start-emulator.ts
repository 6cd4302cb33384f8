/** Starts the emulator that the variable `EMULATOR` names. */
import type { EmulatedStage } from './emulated-stage.ts';
import type { Emulator } from './emulator-process.ts';
import { startLocalstack } from './localstack.ts';
import { startMinistack } from './ministack.ts';

const emulators: Readonly<Record<string, (stage: EmulatedStage) => Promise<Emulator>>> = {
  ministack: startMinistack,
  localstack: startLocalstack,
};

/** Starts the emulator. @throws {Error} if `EMULATOR` does not name an emulator, or the emulator does not start */
export function startEmulator(stage: EmulatedStage): Promise<Emulator> {
  const { EMULATOR: name = 'ministack' } = process.env;
  const start = Object.hasOwn(emulators, name) ? emulators[name] : undefined;
  if (!start) throw new Error(`EMULATOR must be one of ${Object.keys(emulators).join(', ')}, not "${name}".`);
  return start(stage);
}
