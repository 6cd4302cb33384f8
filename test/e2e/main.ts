/** `npm run test:e2e`: one suite, against the local service and against the CDK app on an emulator of AWS. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Host, hosts, type Run } from './hosts.ts';
import { allCapabilities, type TargetDescription, targetVariable } from './target-description.ts';

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/e2e/vitest.config.ts'];

async function runSuite(name: string, target: TargetDescription, files: readonly string[] = []): Promise<boolean> {
  const env = { ...process.env, [targetVariable]: JSON.stringify(target) };
  const results = `--outputFile.json=build/test-results/e2e-${name}.json`;
  const child = spawn(process.execPath, [...vitest, results, ...files], { env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

/** Runs the suite as often as the host requires, and finally lists the tests that could not run on it. */
async function runAndReport(name: string, runs: AsyncIterable<Run> | readonly Run[]): Promise<boolean> {
  const capabilities = new Set<string>();
  let isGreen = true;
  for await (const { target, files } of runs) {
    process.stdout.write(`${name}: ${target.url}\n`);
    for (const capability of target.capabilities) capabilities.add(capability);
    isGreen = (await runSuite(files ? `${name}-part` : name, target, files)) && isGreen;
  }
  const missing = allCapabilities.filter((capability) => !capabilities.has(capability));
  process.stdout.write(`${name}: ${isGreen ? 'passed' : 'FAILED'}; not run here: ${missing.join(', ') || 'nothing'}\n`);
  return isGreen;
}

async function runOn(name: string, start: () => Promise<Host>): Promise<boolean> {
  process.stdout.write(`\n${name}: starting …\n`);
  const { runs, stop } = await start();
  try {
    return await runAndReport(name, runs());
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
  const results: boolean[] = [];
  if (given !== undefined) {
    const target = JSON.parse(given) as TargetDescription;
    results.push(await runAndReport('target', [{ target }]));
  } else for (const [name, start] of chosen(process.argv.slice(2))) results.push(await runOn(name, start));
  if (results.includes(false)) process.exitCode = 1;
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
