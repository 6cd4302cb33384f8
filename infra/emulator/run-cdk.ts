/** Runs CDK commands against an emulator. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { returnedPath } from '../../fakes/stripe/checkout-pages.ts';
import { type EmulatedStage, emulatorDirectory, emulatorEnvironment } from './emulated-stage.ts';

/** The stacks as they were deployed last, which are destroyed without synthesizing them again. */
export const deployedApp = join(emulatorDirectory, 'cdk.out');

const cdkJson = new URL('../../cdk.json', import.meta.url);
const cdk = fileURLToPath(new URL('../../node_modules/aws-cdk/bin/cdk', import.meta.url));

/**
 * The stages of `cdk.json`, in which the emulated stage has only the engines that it is given, and the given settings
 * instead of its own. Without a dashboard, it has none, and its checkouts return to the sandbox.
 */
export function describedStages({ name, dashboard, engines, stripe }: EmulatedStage, settings: object = {}): string {
  const { stages } = (JSON.parse(readFileSync(cdkJson, 'utf8')) as { context: { stages: Record<string, object> } })
    .context;
  const { dashboard: pages, ...others } = stages[name] as { dashboard?: object; stripe?: object };
  const returned = stripe?.url && { stripe: { ...others.stripe, returnUrl: `${stripe.url}${returnedPath}` } };
  return JSON.stringify({
    ...stages,
    [name]: { ...others, engines, ...(dashboard ? { dashboard: pages } : returned), ...settings },
  });
}

export interface CdkOptions {
  /** Settings of the stage that differ from `cdk.json`. */
  readonly settings?: object | undefined;
  /** The folder of the app; the working directory by default. */
  readonly app?: string | undefined;
}

/** Runs a command without output. @throws {Error} with the command's output if it fails */
export async function runCdk(
  stage: EmulatedStage,
  args: readonly string[],
  { settings, app }: CdkOptions = {},
): Promise<void> {
  const { PATH = '', HOME = '' } = process.env;
  const context = ['-c', `stage=${stage.name}`, '-c', `stages=${describedStages(stage, settings)}`];
  const child = spawn(process.execPath, [cdk, ...args, ...context, '--ci'], {
    env: { PATH, HOME, ...emulatorEnvironment(stage) },
    ...(app !== undefined && { cwd: app }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`"cdk ${args.join(' ')}" ended with ${code}:\n${stdout}\n${stderr}`);
}
