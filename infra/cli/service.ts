/** Connects commands to a service: the local one on the data directory, or a deployed stage. */
import type { Operator } from '../../shared/domain/operators/operator.ts';
import { stores } from '../../shared/domain/stores.ts';
import { clipEngines } from '../../shared/engines/clip-engines.ts';
import { subscriptionGateway } from '../../shared/gateways/subscription-gateways.ts';
import type { LeftOutRow, Table } from '../../shared/platform/dynamo-table.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import type { With } from '../../shared/runtime/context.ts';
import { createFullContext, type FullContext } from '../../shared/runtime/full-context.ts';
import { localDataDir, readServiceFile, type ServiceFile } from '../local/service-file.ts';
import { type Deployment, environmentOf, findDeployment } from './deployed-service.ts';
import { commandFailed } from './exit-error.ts';
import { printable } from './printable.ts';

/** The dependencies of commands; the local service has no deployment. */
export type Service = FullContext &
  With<'engines' | 'queue' | 'subscriptionGateway' | 'webhookSecrets' | 'workflow'> & {
    readonly deployment?: Deployment;
    /** Runs a function that may change the table; outside of it, every write fails. */
    readonly acting: <Result>(work: () => Promise<Result>) => Promise<Result>;
  };

/** The target of a command line: a stage, or the local service. */
export interface Target {
  readonly stage: string | undefined;
  /** Connects to the service. @throws {ExitError} if no local service is running, or the stage is not deployed */
  readonly service: () => Promise<Service>;
  /** Who runs the command. */
  readonly operator: () => Promise<Operator>;
  /** Reads standard input to its end. */
  readonly input: () => Promise<string>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

function localService(dataDir: string): ServiceFile | undefined {
  try {
    return readServiceFile(dataDir);
  } catch {
    // Replaces the parser's message, which would quote the file and the keys in it.
    throw commandFailed(`${dataDir}/service.json cannot be read: start the service again with "npm start".`);
  }
}

function localEnvironment(given: Environment): Readonly<Record<string, string>> {
  const dataDir = localDataDir(given);
  const service = localService(dataDir);
  if (!service) {
    throw commandFailed(
      `No service runs on ${dataDir}: start it with "npm start", or name its data directory in LOCAL_DATA_DIR.`,
    );
  }
  return service.environment;
}

async function deploymentOf(stage: string): Promise<Deployment> {
  const deployment = await findDeployment(stage);
  if (deployment) return deployment;
  throw commandFailed(
    `The stage ${stage} is not deployed in this account and region: deploy it, or choose another AWS_PROFILE or AWS_REGION.`,
  );
}

/** Logs nothing, because standard output is reserved for the command's result. */
const quiet = { POWERTOOLS_LOG_LEVEL: 'SILENT', [settingVariables.metricsDisabled]: 'true' };

/** Warns about rows that the command's result lacks because they could not be read. */
const warn = ({ kind, id }: LeftOutRow): void => {
  process.stderr.write(`${printable(`A row of the kind "${kind}" cannot be read, and is left out: ${id}`)}\n`);
};

/** Makes writes to the table possible only in acts, so that no command changes anything that the log does not show. */
function withActs(context: FullContext): { readonly context: FullContext } & Pick<Service, 'acting'> {
  let running = 0;
  const within =
    <Given extends readonly unknown[], Result>(write: (...given: Given) => Promise<Result>) =>
    (...given: Given): Promise<Result> => {
      if (running === 0) throw new Error('only acts may write to the table');
      return write(...given);
    };
  const { table: unguarded } = context;
  const table: Table = {
    ...unguarded,
    put: within((input) => unguarded.put(input)),
    transact: within((actions) => unguarded.transact(actions)),
    update: within((input) => unguarded.update(input)),
  };
  return {
    context: { ...context, ...stores(table, context.clock, context.settings) },
    async acting(work) {
      running += 1;
      return work().finally(() => {
        running -= 1;
      });
    },
  };
}

/** Connects to a service. @throws {ExitError} if no local service is running, or the stage is not deployed */
export async function connect(stage: string | undefined, given: Environment = process.env): Promise<Service> {
  const deployment = stage === undefined ? undefined : await deploymentOf(stage);
  const environment = deployment ? environmentOf(deployment) : localEnvironment(given);
  Object.assign(process.env, quiet);
  const { context, acting } = withActs(createFullContext({ ...environment, ...quiet }, { leftOut: warn }));
  return {
    ...context,
    acting,
    engines: clipEngines(context),
    queue: webhookQueue(context),
    subscriptionGateway: subscriptionGateway(context),
    webhookSecrets: webhookSecretsOf(context),
    workflow: stepFunctions(context),
    ...(deployment && { deployment }),
  };
}

/** @throws {ExitError} for the local service. */
function requireStaged<Staged>(staged: Staged | undefined): Staged {
  if (staged !== undefined) return staged;
  throw commandFailed('This command needs a deployed stage: name one with --stage.');
}

/** @throws {ExitError} for a deployed stage. */
export function requireLocal({ deployment }: Service): void {
  if (deployment) throw commandFailed('This command works on the local service only: leave out --stage.');
}

/** @throws {ExitError} for the local service. */
export const requireDeployment = ({ deployment }: Service): Deployment => requireStaged(deployment);

/** @throws {ExitError} for the local service. */
export const requireStage = ({ stage }: Target): string => requireStaged(stage);
