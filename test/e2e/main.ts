/** `npm run test:e2e`: one suite, against the local service and against the CDK app on an emulator of AWS. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { type Host, hosts, type Run } from './hosts.ts';
import { allCapabilities, type TargetDescription, targetVariable } from './target-description.ts';

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/e2e/vitest.config.ts'];

/** Hosts are tested concurrently, so that each line names the one that it is about. */
const say = (name: string, line: string): void => void process.stdout.write(`${name}: ${line}\n`);

/** What is said again at the end, because the other host's lines come after it: the end of each failed run. */
const failures: { readonly name: string; readonly lines: readonly string[] }[] = [];
const repeatedLines = 60;

async function runSuite(name: string, { target, files }: Run): Promise<boolean> {
  const env = { ...process.env, [targetVariable]: JSON.stringify(target) };
  const results = `--outputFile.json=build/test-results/e2e-${files ? `${name}-part` : name}.json`;
  const child = spawn(process.execPath, [...vitest, results, ...(files ?? [])], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The emulator, which is deployed to twice, takes longest, so the local suite yields the cores to it.
  if (name === 'local' && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const lines: string[] = [];
  const take = (line: string): void => {
    lines.push(line);
    say(name, line);
  };
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', take);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) failures.push({ name, lines: lines.slice(-repeatedLines) });
  return code === 0;
}

/** Runs the suite as often as the host requires, and finally lists the tests that could not run on it. */
async function runAndReport(name: string, runs: AsyncIterable<Run> | readonly Run[]): Promise<boolean> {
  const capabilities = new Set<string>();
  let isGreen = true;
  for await (const run of runs) {
    say(name, run.target.url);
    for (const capability of run.target.capabilities) capabilities.add(capability);
    isGreen = (await runSuite(name, run)) && isGreen;
  }
  const missing = allCapabilities.filter((capability) => !capabilities.has(capability));
  say(name, `${isGreen ? 'passed' : 'FAILED'}; not run here: ${missing.join(', ') || 'nothing'}`);
  return isGreen;
}

async function testOn(name: string, start: () => Promise<Host>): Promise<boolean> {
  say(name, 'starting …');
  const { runs, stop } = await start();
  try {
    return await runAndReport(name, runs());
  } finally {
    await stop();
  }
}

/** A host that cannot be started, changed or emptied again fails its suite, but not the other host's. */
const runOn = (name: string, start: () => Promise<Host>): Promise<boolean> =>
  testOn(name, start).catch((error: Error) => {
    failures.push({ name, lines: [`FAILED: ${error.message}`] });
    return false;
  });

/** The hosts in the command line, or all. @throws {Error} */
function chosen(names: readonly string[]): [string, () => Promise<Host>][] {
  const unknown = names.find((name) => !Object.hasOwn(hosts, name));
  if (unknown) throw new Error(`There is no host ${unknown}: the hosts are ${Object.keys(hosts).join(', ')}.`);
  return Object.entries(hosts).filter(([name]) => names.length === 0 || names.includes(name));
}

async function main(): Promise<void> {
  const given = process.env[targetVariable];
  const areGreen =
    given === undefined
      ? await Promise.all(chosen(process.argv.slice(2)).map(([name, start]) => runOn(name, start)))
      : [await runAndReport('target', [{ target: JSON.parse(given) as TargetDescription }])];
  for (const { name, lines } of failures) for (const line of lines) say(name, line);
  if (areGreen.includes(false)) process.exitCode = 1;
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
