/** `npm run test:e2e`: one suite, against the local service and against the CDK app on an emulator of AWS. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Host, hosts } from './hosts.ts';
import { allCapabilities, type TargetDescription, targetVariable } from './target-description.ts';

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/e2e/vitest.config.ts'];

async function runSuite(target: TargetDescription): Promise<boolean> {
  const env = { ...process.env, [targetVariable]: JSON.stringify(target) };
  const [code] = (await once(spawn(process.execPath, vitest, { env, stdio: 'inherit' }), 'exit')) as [number | null];
  return code === 0;
}

async function runOn(name: string, start: () => Promise<Host>): Promise<boolean> {
  process.stdout.write(`\n${name}: starting …\n`);
  const { target, stop } = await start();
  process.stdout.write(`${name}: ${target.url}\n`);
  let isGreen = false;
  try {
    isGreen = await runSuite(target);
  } finally {
    await stop();
  }
  const missing = allCapabilities.filter((capability) => !target.capabilities.includes(capability));
  process.stdout.write(`${name}: ${isGreen ? 'passed' : 'FAILED'}; not run here: ${missing.join(', ') || 'nothing'}\n`);
  return isGreen;
}

/** The hosts that the command line names, or all. @throws {Error} */
function chosen(names: readonly string[]): [string, () => Promise<Host>][] {
  const unknown = names.find((name) => !Object.hasOwn(hosts, name));
  if (unknown) throw new Error(`There is no host ${unknown}: the hosts are ${Object.keys(hosts).join(', ')}.`);
  return Object.entries(hosts).filter(([name]) => names.length === 0 || names.includes(name));
}

async function main(): Promise<void> {
  const given = process.env[targetVariable];
  const results = given ? [await runSuite(JSON.parse(given) as TargetDescription)] : [];
  if (!given) for (const [name, start] of chosen(process.argv.slice(2))) results.push(await runOn(name, start));
  if (results.includes(false)) process.exitCode = 1;
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
