/** Runs the CDK's command on an emulator. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type EmulatedStage, emulatorEnvironment } from './emulated-stage.ts';

const cdk = fileURLToPath(new URL('../../node_modules/aws-cdk/bin/cdk', import.meta.url));

/** Prints nothing. @throws {Error} with the command's output when it fails */
export async function runCdk(stage: EmulatedStage, args: readonly string[]): Promise<void> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [cdk, ...args, '-c', `stage=${stage.name}`, '--ci'], {
    env: { PATH, HOME, ...emulatorEnvironment(stage) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`"cdk ${args.join(' ')}" ended with ${code}:\n${stdout}\n${stderr}`);
}
