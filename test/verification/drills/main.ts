/** `npm run drill -- <name>`: rehearses bad days on an emulator; without a name, lists them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findDeployment } from '../../../infra/cli/deployed-service.ts';
import { adoptEnvironment } from '../../../infra/emulator/adopt-environment.ts';
import { emulatedStage, emulatorEnvironment, isEmulatorReady } from '../../../infra/emulator/emulated-stage.ts';
import { startEmulator } from '../../../infra/emulator/start-emulator.ts';
import { drills } from './drills.ts';
import { sceneOf } from './scene.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const stage = emulatedStage();

/** Runs one of the emulator's programs to its end. @throws {Error} if it fails */
async function runProgram(name: 'deploy' | 'destroy'): Promise<void> {
  const child = spawn(process.execPath, [`infra/emulator/${name}/main.ts`], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The stage could not be ${name}ed.`);
}

/** Deploys the stage if necessary; resolves with a function that stops and removes what was started for the drills. */
async function prepare(): Promise<() => Promise<void>> {
  const emulator = (await isEmulatorReady(stage)) ? undefined : await startEmulator(stage);
  adoptEnvironment(emulatorEnvironment(stage));
  const stop = async () => {
    if (!emulator) return;
    try {
      await runProgram('destroy');
    } finally {
      await emulator.stop();
    }
  };
  try {
    if (!(await findDeployment(stage.name))) {
      say('Deploying …');
      await runProgram('deploy');
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function rehearse(name: string): Promise<void> {
  const drill = drills[name];
  if (!drill) throw new Error(`There is no drill "${name}": run "npm run drill" for a list.`);
  say(`${name}: ${drill.page}, "${drill.heading}"`);
  const scene = sceneOf(drill, stage);
  await drill.run(scene);
  scene.end();
  say(`${name}: passed`);
}

async function main(names: readonly string[]): Promise<void> {
  if (names.length === 0) {
    for (const [name, { summary }] of Object.entries(drills)) say(`${name.padEnd(18)}${summary}`);
    return;
  }
  const unknown = names.find((name) => name !== 'all' && !Object.hasOwn(drills, name));
  if (unknown) throw new Error(`There is no drill "${unknown}": run "npm run drill" for a list.`);
  const stop = await prepare();
  try {
    for (const name of names.includes('all') ? Object.keys(drills) : names) await rehearse(name);
  } finally {
    await stop();
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
