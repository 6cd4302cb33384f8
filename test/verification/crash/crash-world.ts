/** A service that can be killed and started again on the same data, with everything that lives on around it. */
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
import type { Snapshot } from '../model/snapshot.ts';
import { type Guillotine, guillotine, type KillAt, type Passed } from './guillotine.ts';
import { type Life, type Sweeps, startLife } from './life.ts';
import { type Maker, type Surroundings, startSurroundings } from './surroundings.ts';

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

export interface CrashWorld extends Omit<Surroundings, 'environment' | 'functionsUrl'> {
  /** The account under test, and its token. */
  readonly accountId: string;
  readonly token: string;
  /** The database's own address: it also outlives the service, until that is started again. */
  readonly databaseUrl: string;
  /** The calls of the account under test. */
  readonly passed: readonly Passed[];
  /** The whole table when it was last read. */
  seen: Snapshot | undefined;
  /** Whether the latest process has neither been killed nor been told to stop. */
  readonly isRunning: boolean;
  /** From now on a new account is under test; everybody else's work must be finished. */
  openAccount(): Promise<void>;
  /** Resolves when the service is ready, or was killed before it was. */
  start(options: Start): Promise<void>;
  /** Kills the present life at a passage that is still to come. */
  killAt(killAt: KillAt): void;
  /** The passage at which the present life was, or is being, killed. */
  readonly struck: Passed | undefined;
  /** Resolves once the present life was killed, with the passage that it was killed at. */
  killed(): Promise<Passed>;
  /** Calls one of the running service's functions. */
  invoke(name: string, event: unknown): Promise<unknown>;
}

/** How long it may take until a life comes to the passage at which it is killed. */
const killMs = 120_000;

/** The passage at which a life was killed; throws when it ended otherwise. */
async function deathOf(life: Life, { struck }: Pick<Guillotine, 'struck'>, how: NodeJS.Signals | number) {
  if (!struck || how !== 'SIGKILL') throw new Error(`the service ended by itself (${how}): ${life.output.stderr}`);
  return struck;
}

/** Where the present life has put its parts: each writes its file before it first calls a function. */
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
  let life: Life | undefined;
  let account = { accountId: '', token: '' };
  let aheadMs = 0;
  const clock = { now: () => systemClock.now() + aheadMs };
  const present = (): Life => {
    if (!life) throw new Error('the service has not been started');
    return life;
  };
  const blade = guillotine(() => {
    file.read(); // what it says holds only while the process lives, and its database lives on
    present().kill();
  });
  const surroundings = await startSurroundings(file.read, blade, { ...around, clock });
  const { environment, functionsUrl } = surroundings;

  return {
    ...surroundings,
    get accountId() {
      return account.accountId;
    },
    get token() {
      return account.token;
    },
    get databaseUrl() {
      return file.read()?.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '';
    },
    passed: blade.passed,
    seen: undefined,
    get isRunning() {
      return life !== undefined && blade.struck === undefined;
    },
    async openAccount() {
      const running = file.read();
      if (!running) throw new Error('no service is running');
      account = await newAccount(running);
      blade.forget();
    },
    get struck() {
      return blade.struck;
    },
    async start({ awayMs, killAt, sweeps }) {
      aheadMs += awayMs;
      file.forget();
      blade.newLife(killAt);
      life = startLife({ dataDir, aheadMs, sweeps, pace, engineCompletion, environment, functionsUrl });
      const ready = await life.ready.catch(() => undefined);
      if (!ready) await deathOf(life, blade, await life.exited);
    },
    killAt: (killAt) => blade.arm(killAt),
    async killed() {
      const { exited } = present();
      await Promise.race([exited, eventually('the kill at its step', () => blade.struck, { patienceMs: killMs })]);
      return deathOf(present(), blade, await exited);
    },
    invoke: (name, event) => present().order({ name, event }),
    async close() {
      await life?.close();
      await endOrphan(join(dataDir, 'database', 'database.pid'));
      await surroundings.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
