/** `npm run test:e2e`: one suite, against the local service and against the CDK app on an emulator of AWS. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Host, hosts } from './hosts.ts';
import { allCapabilities, type TargetDescription, targetVariable } from './target-description.ts';

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/e2e/vitest.config.ts'];

async function runSuite(name: string, target: TargetDescription): Promise<boolean> {
  const env = { ...process.env, [targetVariable]: JSON.stringify(target) };
  const results = `--outputFile.json=build/test-results/e2e-${name}.json`;
  const child = spawn(process.execPath, [...vitest, results], { env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

/** Runs the suite, and finally lists the tests that could not run on the host. */
async function runAndReport(name: string, target: TargetDescription): Promise<boolean> {
  const isGreen = await runSuite(name, target);
  const missing = allCapabilities.filter((capability) => !target.capabilities.includes(capability));
  process.stdout.write(`${name}: ${isGreen ? 'passed' : 'FAILED'}; not run here: ${missing.join(', ') || 'nothing'}\n`);
  return isGreen;
}

async function runOn(name: string, start: () => Promise<Host>): Promise<boolean> {
  process.stdout.write(`\n${name}: starting …\n`);
  const { target, stop } = await start();
  process.stdout.write(`${name}: ${target.url}\n`);
  try {
    return await runAndReport(name, target);
  } finally {
    await stop();
  }
}

/** The hosts in the command line, or all. @throws {Error} */
function chosen(names: readonly string[]): [string, () => Promise<Host>][] {
  const unknown = names.find((name) => !Object.hasOwn(hosts, name));
  if (unknown) throw new Error(`There is no host ${unknown}: the hosts are ${Object.keys(hosts).join(', ')}.`);
  return Object.entries(hosts).filter(([name]) => names.length === 0 || names.includes(name));
}

async function main(): Promise<void> {
  const given = process.env[targetVariable];
  const target = given === undefined ? undefined : (JSON.parse(given) as TargetDescription);
  const results = target ? [await runAndReport('target', target)] : [];
  if (!target) for (const [name, start] of chosen(process.argv.slice(2))) results.push(await runOn(name, start));
  if (results.includes(false)) process.exitCode = 1;
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
