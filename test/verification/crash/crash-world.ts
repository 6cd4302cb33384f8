/** A service that can be killed and started again on the same data, with everything that lives on around it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOrphan } from '../../../infra/local/database/database-orphan.ts';
import { readServiceFile, type ServiceFile } from '../../../infra/local/service-file.ts';
import { eventually } from '../../support/eventually.ts';
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
  /** How far the service's clock is ahead of the real one; never less than in an earlier life. */
  readonly aheadMs: number;
  readonly sweeps: Sweeps;
  readonly killAt?: KillAt | undefined;
}

export interface CrashWorld extends Omit<Surroundings, 'environment' | 'functionsUrl'> {
  /** The account's token, from the first life on. */
  readonly token: string;
  /** The database's own address: it also outlives the service, until that is started again. */
  readonly databaseUrl: string;
  readonly passed: readonly Passed[];
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
const killMs = 30_000;

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

export async function crashWorld({ engineCompletion, pace, ...around }: CrashWorldOptions): Promise<CrashWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-crash-'));
  const file = serviceFile(dataDir);
  let life: Life | undefined;
  let token = '';
  const present = (): Life => {
    if (!life) throw new Error('the service has not been started');
    return life;
  };
  const blade = guillotine(() => {
    file.read(); // what it says holds only while the process lives, and its database lives on
    present().kill();
  });
  const surroundings = await startSurroundings(file.read, blade, around);
  const { environment, functionsUrl } = surroundings;

  return {
    ...surroundings,
    get token() {
      return token;
    },
    get databaseUrl() {
      return file.read()?.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '';
    },
    passed: blade.passed,
    get struck() {
      return blade.struck;
    },
    async start({ killAt, ...start }) {
      file.forget();
      blade.newLife(killAt);
      life = startLife({ dataDir, pace, engineCompletion, environment, functionsUrl, ...start });
      const ready = await life.ready.catch(() => undefined);
      if (ready === undefined) await deathOf(life, blade, await life.exited);
      else token = ready;
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
