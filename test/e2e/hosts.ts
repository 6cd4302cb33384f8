/** The hosts that the suite runs against: each is started, described and stopped again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { emulatedStage, emulatorEnvironment } from '../../infra/emulator/emulated-stage.ts';
import { startEmulator } from '../../infra/emulator/start-emulator.ts';
import { startedService } from '../support/started-service.ts';
import { chromiumPath } from './chromium-path.ts';
import { requireEverything, requireNothing } from './remains.ts';
import type { Capability, TargetDescription } from './target-description.ts';

export interface Host {
  readonly target: TargetDescription;
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
  return {
    target: { url: service.url, capabilities, ...sandboxesIn(service.output), admin: { args: [], environment } },
    async stop() {
      await service.end('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs one of the project's programs to its end, and returns its output. */
async function run(program: string): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program], { env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

/**
 * An emulator with the CDK app deployed as `npm run deploy:local` does; once destroyed, it must be as empty as before.
 */
async function emulator(): Promise<Host> {
  const stage = emulatedStage();
  const emulated = await startEmulator(stage);
  const stop = async () => {
    try {
      await run('infra/emulator/destroy/main.ts');
      await requireNothing(stage);
    } finally {
      await emulated.stop();
    }
  };
  try {
    const output = await run('infra/emulator/deploy/main.ts');
    const [, url = ''] = /^ready (\S+)$/m.exec(output) ?? [];
    await requireEverything(stage, emulated.droppedKinds);
    const admin = { args: ['--stage', stage.name], environment: emulatorEnvironment(stage) };
    const capabilities: Capability[] = ['deployed', 'local-webhooks', 'offline-engine', 'payment-sandbox'];
    capabilities.push('social-sandbox');
    // Features that LocalStack lacks: it drops the gateway's customized responses and the dashboards.
    if (emulated.droppedKinds.length === 0) capabilities.push('gateway-responses');
    const [, dashboardUrl] = /^ *dashboard +(\S+)\/account\/ /m.exec(output) ?? [];
    if (dashboardUrl !== undefined && chromiumPath() !== undefined) capabilities.push('dashboard');
    const { identityUrl = '' } = stage.dashboard?.emulated ?? {};
    const places = { ...sandboxesIn(output), ...(dashboardUrl !== undefined && { dashboardUrl, identityUrl }) };
    return { target: { url, capabilities, ...places, admin }, stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

export const hosts: Readonly<Record<string, () => Promise<Host>>> = { local, emulator };
