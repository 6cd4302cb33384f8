/**
 * LocalStack without Docker: plugins in `localstack/` run functions as Node processes and keep tables in the local
 * service's database.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDatabase } from '../local/database/database.ts';
import { pythonEnvironment } from '../toolchain/python-environment.ts';
import { type EmulatedStage, emulatorDirectory } from './emulated-stage.ts';
import { type Emulator, startEmulatorProcess } from './emulator-process.ts';

const plugins = fileURLToPath(new URL('localstack', import.meta.url));

export async function startLocalstack(stage: EmulatedStage): Promise<Emulator> {
  const { LOCALSTACK_PYTHON: python = 'python3.13' } = process.env;
  const { program } = await pythonEnvironment('localstack', { python, oldestMinor: 13 });
  const { host } = new URL(stage.emulatorUrl);
  const files = join(process.cwd(), emulatorDirectory, 'localstack');
  const database = await startDatabase({});
  try {
    const emulator = await startEmulatorProcess(stage, {
      name: 'LocalStack',
      command: program('python'),
      droppedKinds: ['dashboard'],
      args: ['-m', 'localstack.runtime.main'],
      environment: {
        PYTHONPATH: plugins,
        LAMBDA_RUNTIME_EXECUTOR: 'node',
        LAMBDA_NODE: process.execPath,
        LOCAL_DATABASE_URL: database.url,
        GATEWAY_LISTEN: host,
        LOCALSTACK_HOST: host,
        LOCALSTACK_VOLUME_DIR: files,
        FILESYSTEM_ROOT: files,
        DISABLE_EVENTS: '1',
        SKIP_SSL_CERT_DOWNLOAD: '1',
        PYTHONDONTWRITEBYTECODE: '1',
        // By default, queues get a host name that ends in an IP address, which makes their URLs invalid.
        SQS_ENDPOINT_STRATEGY: 'path',
      },
    });
    return {
      ...emulator,
      async stop() {
        await emulator.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
