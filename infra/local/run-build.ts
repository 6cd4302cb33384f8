/** Runs a build in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { project } from './built-folder.ts';

/** @throws {Error} with what the program wrote */
export async function runBuild(args: readonly string[], failure: string): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: project,
    // With any other NODE_ENV, Vite would build React for development.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // If the service is stopped meanwhile, the build is stopped as well.
  const kill = () => child.kill();
  process.once('exit', kill);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  process.off('exit', kill);
  if (code !== 0) throw new Error(`${failure}: ${stdout}${stderr}`);
}
