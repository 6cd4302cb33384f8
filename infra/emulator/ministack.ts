/** MiniStack, an AWS emulator that needs no Docker, in its own Python environment. */
import { pythonEnvironment } from '../toolchain/python-environment.ts';
import type { EmulatedStage } from './emulated-stage.ts';
import { type Emulator, startEmulatorProcess } from './emulator-process.ts';

export async function startMinistack(stage: EmulatedStage): Promise<Emulator> {
  const { program } = await pythonEnvironment('ministack');
  return startEmulatorProcess(stage, {
    name: 'MiniStack',
    command: program('ministack'),
    droppedKinds: [],
    args: [],
    environment: {
      GATEWAY_PORT: new URL(stage.emulatorUrl).port,
      BIND_HOST: '127.0.0.1',
      MINISTACK_HOST: '127.0.0.1',
      IOT_MTLS_ENABLED: '0',
      SFTP_ENABLED: '0',
    },
  });
}
