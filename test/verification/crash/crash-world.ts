/** A service that can be killed and restarted on the same data, with everything that survives it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOrphan } from '../../../infra/local/database/database-orphan.ts';
import { readServiceFile, type ServiceFile } from '../../../infra/local/service-file.ts';
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { eventually } from '../../support/eventually.ts';
import type { Snapshot } from '../oracle/snapshot.ts';
import type { Sweeps } from '../process/orders.ts';
import { type ServiceProcess, startProcess } from '../process/service-process.ts';
import { type Customer, newCustomer } from './customer.ts';
import { type ExternalParties, type Maker, startExternalParties } from './external-parties.ts';
import { type KillAt, type KillSwitch, newKillSwitch, type RecordedCall } from './kill-switch.ts';

export interface CrashWorldOptions {
  readonly maker: Maker;
  readonly engineCompletion: 'callback' | 'polling';
  /** Multiplies the state machine's waits. */
  readonly pace: number;
}

/** The call of each customer at which the service is killed. */
type Kills = ReadonlyMap<Customer, KillAt>;

export interface Start {
  /** How much later than the last process this one starts, on the service's own clock. */
  readonly awayMs: number;
  readonly sweeps: Sweeps;
  readonly killAt?: Kills;
}

export interface CrashWorld extends Omit<ExternalParties, 'environment' | 'functionsUrl'> {
  /** The database's own URL: the database outlives the service until the service is started again. */
  readonly databaseUrl: string;
  /** The whole table as it was when it was last read. */
  seen: Snapshot | undefined;
  /** Whether the latest process is alive. */
  readonly isRunning: boolean;
  newCustomer(mode?: TokenMode): Promise<Customer>;
  /** Starts a process; resolves when the service is ready, or was killed before that. */
  start(options: Start): Promise<void>;
  /** Kills the current process once each of these customers has reached its call. */
  killAt(kills: Kills): void;
  /** Resolves with the call at which the current process was killed. */
  killed(): Promise<RecordedCall>;
  /** Calls one of the running service's functions. */
  invoke(name: string, event: unknown): Promise<unknown>;
}

/** How long a process may take to reach the call at which it is killed. */
const killMs = 120_000;

/** The call at which a process was killed; throws when it ended otherwise. */
async function deathOf(run: ServiceProcess, { killedAt }: Pick<KillSwitch, 'killedAt'>, how: NodeJS.Signals | number) {
  if (!killedAt || how !== 'SIGKILL') throw new Error(`the service ended by itself (${how}): ${run.output.stderr}`);
  return killedAt;
}

/**
 * Reads the URLs of the current process's parts from the file that the process writes before it first calls a function.
 */
function serviceFile(dataDir: string) {
  let file: ServiceFile | undefined;
  return {
    read: (): ServiceFile | undefined => (file ??= readServiceFile(dataDir)),
    forget() {
      file = undefined;
    },
  };
}

export async function crashWorld({ engineCompletion, pace, ...around }: CrashWorldOptions): Promise<CrashWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-crash-'));
  const file = serviceFile(dataDir);
  let run: ServiceProcess | undefined;
  let aheadMs = 0;
  const clock = { now: () => systemClock.now() + aheadMs };
  const arm = (kills: Kills) => killSwitch.arm(new Map([...kills].map(([{ track }, killAt]) => [track, killAt])));
  const present = (): ServiceProcess => {
    if (!run) throw new Error('the service has not been started');
    return run;
  };
  const killSwitch = newKillSwitch(() => {
    file.read(); // The file can only be read while the process runs, and the database survives the process.
    present().kill();
  });
  const parties = await startExternalParties(file.read, killSwitch, { ...around, clock });
  const { environment, functionsUrl } = parties;

  return {
    ...parties,
    get databaseUrl() {
      return file.read()?.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '';
    },
    seen: undefined,
    get isRunning() {
      return run !== undefined && killSwitch.killedAt === undefined;
    },
    async newCustomer(mode = 'live') {
      const running = file.read();
      if (!running) throw new Error('no service is running');
      return newCustomer(running, killSwitch, mode);
    },
    async start({ awayMs, killAt, sweeps }) {
      aheadMs += awayMs;
      file.forget();
      killSwitch.newRun();
      if (killAt) arm(killAt);
      run = startProcess({ dataDir, aheadMs, sweeps, pace, engineCompletion, environment, functionsUrl });
      const ready = await run.ready.catch(() => undefined);
      if (!ready) await deathOf(run, killSwitch, await run.exited);
    },
    killAt: arm,
    async killed() {
      const { exited } = present();
      await Promise.race([
        exited,
        eventually('the kill at the step of each customer', () => killSwitch.killedAt, { patienceMs: killMs }),
      ]);
      return deathOf(present(), killSwitch, await exited);
    },
    invoke: (name, event) => present().invoke(name, event),
    async close() {
      await run?.close();
      await endOrphan(join(dataDir, 'database', 'database.pid'));
      await parties.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
