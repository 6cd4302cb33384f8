/** A service that can be killed and restarted on the same data, with everything that survives it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOrphan } from '../../../infra/local/database/database-orphan.ts';
import { readServiceFile, type ServiceFile } from '../../../infra/local/service-file.ts';
import { scopes } from '../../../shared/contracts/scopes.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { createToken } from '../../../shared/domain/tokens/create-token.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { webhookSecretsOf } from '../../../shared/platform/webhook-secrets.ts';
import { createContext } from '../../../shared/runtime/context.ts';
import { eventually } from '../../support/eventually.ts';
import type { Snapshot } from '../oracle/snapshot.ts';
import { type ExternalParties, type Maker, startExternalParties } from './external-parties.ts';
import { type KillAt, type KillSwitch, newKillSwitch, type RecordedCall } from './kill-switch.ts';
import { type ProcessRun, type Sweeps, startRun } from './process-run.ts';

export interface CrashWorldOptions {
  readonly maker: Maker;
  readonly isPatient: boolean;
  readonly engineCompletion: 'callback' | 'polling';
  /** Multiplies the state machine's waits. */
  readonly pace: number;
}

export interface Start {
  /** How much later than the last one the process starts, on the service's own clock. */
  readonly awayMs: number;
  readonly sweeps: Sweeps;
  readonly killAt?: KillAt | undefined;
}

export interface CrashWorld extends Omit<ExternalParties, 'environment' | 'functionsUrl'> {
  /** The account under test, and its token. */
  readonly accountId: string;
  readonly token: string;
  /** The database's own address: it also outlives the service, until that is started again. */
  readonly databaseUrl: string;
  /** The calls of the account under test. */
  readonly calls: readonly RecordedCall[];
  /** The whole table when it was last read. */
  seen: Snapshot | undefined;
  /** Whether the latest process has neither been killed nor been told to stop. */
  readonly isRunning: boolean;
  /** From now on a new account is under test; everybody else's work must be finished. */
  openAccount(): Promise<void>;
  /** Resolves when the service is ready, or was killed before that. */
  start(options: Start): Promise<void>;
  /** Kills the current process at a future call. */
  killAt(killAt: KillAt): void;
  /** The call at which the current process was killed; undefined while it runs. */
  readonly killedAt: RecordedCall | undefined;
  /** Resolves with the call at which the current process was killed. */
  killed(): Promise<RecordedCall>;
  /** Calls one of the running service's functions. */
  invoke(name: string, event: unknown): Promise<unknown>;
}

/** How long a process may take to reach the call at which it is killed. */
const killMs = 120_000;

/** The call at which a process was killed; throws when it ended otherwise. */
async function deathOf(run: ProcessRun, { killedAt }: Pick<KillSwitch, 'killedAt'>, how: NodeJS.Signals | number) {
  if (!killedAt || how !== 'SIGKILL') throw new Error(`the service ended by itself (${how}): ${run.output.stderr}`);
  return killedAt;
}

/** The addresses of the current process's parts: it writes its file before it first calls a function. */
function serviceFile(dataDir: string) {
  let file: ServiceFile | undefined;
  return {
    read: (): ServiceFile | undefined => (file ??= readServiceFile(dataDir)),
    forget() {
      file = undefined;
    },
  };
}

const credits = 1000;

/** Creates an account past all taps. */
async function newAccount({ environment }: ServiceFile) {
  const context = createContext(environment);
  const { accountId } = await createAccount(context, { email: 'crash@example.com', name: 'Crash', credits });
  const needs = { ...context, webhookSecrets: webhookSecretsOf(context) };
  const { token } = await createToken(needs, { accountId, name: 'crash', scopes });
  return { accountId, token };
}

export async function crashWorld({ engineCompletion, pace, ...around }: CrashWorldOptions): Promise<CrashWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-crash-'));
  const file = serviceFile(dataDir);
  let run: ProcessRun | undefined;
  let account = { accountId: '', token: '' };
  let aheadMs = 0;
  const clock = { now: () => systemClock.now() + aheadMs };
  const present = (): ProcessRun => {
    if (!run) throw new Error('the service has not been started');
    return run;
  };
  const killSwitch = newKillSwitch(() => {
    file.read(); // it can only be read while the process runs, and the database survives it
    present().kill();
  });
  const parties = await startExternalParties(file.read, killSwitch, { ...around, clock });
  const { environment, functionsUrl } = parties;

  return {
    ...parties,
    get accountId() {
      return account.accountId;
    },
    get token() {
      return account.token;
    },
    get databaseUrl() {
      return file.read()?.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '';
    },
    calls: killSwitch.calls,
    seen: undefined,
    get isRunning() {
      return run !== undefined && killSwitch.killedAt === undefined;
    },
    async openAccount() {
      const running = file.read();
      if (!running) throw new Error('no service is running');
      account = await newAccount(running);
      killSwitch.forget();
    },
    get killedAt() {
      return killSwitch.killedAt;
    },
    async start({ awayMs, killAt, sweeps }) {
      aheadMs += awayMs;
      file.forget();
      killSwitch.newRun(killAt);
      run = startRun({ dataDir, aheadMs, sweeps, pace, engineCompletion, environment, functionsUrl });
      const ready = await run.ready.catch(() => undefined);
      if (!ready) await deathOf(run, killSwitch, await run.exited);
    },
    killAt: (killAt) => killSwitch.arm(killAt),
    async killed() {
      const { exited } = present();
      await Promise.race([
        exited,
        eventually('the kill at its step', () => killSwitch.killedAt, { patienceMs: killMs }),
      ]);
      return deathOf(present(), killSwitch, await exited);
    },
    invoke: (name, event) => present().order({ name, event }),
    async close() {
      await run?.close();
      await endOrphan(join(dataDir, 'database', 'database.pid'));
      await parties.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
