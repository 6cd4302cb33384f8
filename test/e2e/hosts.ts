/** The hosts that the suite runs against: each is started, described once or twice, and stopped again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type EmulatedStage, emulatedStage, emulatorEnvironment } from '../../infra/emulator/emulated-stage.ts';
import { startEmulator } from '../../infra/emulator/start-emulator.ts';
import { startedService } from '../support/started-service.ts';
import { chromiumPath } from './chromium-path.ts';
import { requireEverything, requireNothing } from './remains.ts';
import type { Capability, TargetDescription } from './target-description.ts';

/** A run of the suite. */
export interface Run {
  readonly target: TargetDescription;
  /** The files to run; all if there are none. */
  readonly files?: readonly string[];
}

export interface Host {
  /** The runs in their order; the host is changed as each of them needs it. */
  readonly runs: () => AsyncIterable<Run>;
  readonly stop: () => Promise<void>;
}

/** The URLs of the sandboxes, as they are printed for users. */
function sandboxesIn(output: string): Required<Pick<TargetDescription, 'pixSandbox' | 'socialSandbox'>> {
  const [, pixSandbox] = /^ *PIX sandbox +(\S+)/m.exec(output) ?? [];
  const [, socialSandbox] = /^ *social sandbox +(\S+)/m.exec(output) ?? [];
  if (pixSandbox === undefined || socialSandbox === undefined) throw new Error(`a sandbox is missing in ${output}`);
  return { pixSandbox, socialSandbox };
}

/** `npm start` with its own data directory. */
async function local(): Promise<Host> {
  const dataDir = mkdtempSync(join(tmpdir(), 'e2e-'));
  const environment = { LOCAL_DATA_DIR: dataDir };
  const service = await startedService({ ...environment, PORT: '0' });
  const capabilities: Capability[] = ['exact-paths', 'gateway-limits', 'gateway-responses', 'local-webhooks'];
  capabilities.push('offline-engine', 'payment-sandbox', 'social-sandbox');
  // The pages are the same on all hosts, so they are tested on one only.
  if (chromiumPath() !== undefined) capabilities.push('browser', 'dashboard');
  const admin = { args: [], environment };
  return {
    async *runs() {
      yield { target: { url: service.url, capabilities, ...sandboxesIn(service.output), admin } };
    },
    async stop() {
      await service.end('SIGTERM');
      // Says why a request failed with 500.
      writeFileSync('build/e2e-local-service.log', service.output);
      // A process that the service started may still be closing its files.
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Runs one of the project's programs to its end, and returns its output. */
async function run(program: string, ...options: readonly string[]): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, ...options], {
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

const deploying = 'infra/emulator/deploy/main.ts';

/** The stage on the emulator, as `npm run deploy:local` describes it. */
function stageIn(output: string, stage: EmulatedStage, isComplete: boolean): TargetDescription {
  const [, url = ''] = /^ready (\S+)$/m.exec(output) ?? [];
  const capabilities: Capability[] = ['deployed', 'local-webhooks', 'offline-engine', 'payment-sandbox'];
  capabilities.push('social-sandbox');
  // Features that LocalStack lacks: it ignores customized gateway responses and dashboards.
  if (isComplete) capabilities.push('gateway-responses');
  const [, dashboardUrl] = /^ *dashboard +(\S+)\/account\/ /m.exec(output) ?? [];
  if (dashboardUrl !== undefined && chromiumPath() !== undefined) capabilities.push('dashboard');
  const { identityUrl = '' } = stage.dashboard?.emulated ?? {};
  const places = { ...sandboxesIn(output), ...(dashboardUrl !== undefined && { dashboardUrl, identityUrl }) };
  const admin = { args: ['--stage', stage.name], environment: emulatorEnvironment(stage) };
  return { url, capabilities, ...places, admin };
}

/**
 * An emulator with the CDK app deployed as `npm run deploy:local` does, first without engines and then with one; once
 * destroyed, it must be as empty as before.
 */
async function emulator(): Promise<Host> {
  const stage = emulatedStage();
  const { droppedKinds, stop } = await startEmulator(stage);
  return {
    async *runs() {
      const bare = stageIn(await run(deploying, '--no-engines'), stage, droppedKinds.length === 0);
      yield {
        target: { ...bare, capabilities: ['local-webhooks', 'no-engines'] },
        files: ['test/e2e/test-mode.e2e.ts'],
      };
      const output = await run(deploying);
      await requireEverything(stage, droppedKinds);
      yield { target: stageIn(output, stage, droppedKinds.length === 0) };
    },
    async stop() {
      try {
        await run('infra/emulator/destroy/main.ts');
        await requireNothing(stage);
      } finally {
        await stop();
      }
    },
  };
}

export const hosts: Readonly<Record<string, () => Promise<Host>>> = { local, emulator };
