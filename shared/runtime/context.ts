/** What every function receives, created once per environment, and the ports that a function names. */
import { Logger } from '@aws-lambda-powertools/logger';
import { metricUnits, type ServiceMetrics } from '../domain/metrics.ts';
import type { SessionStore } from '../domain/sessions/session-store.ts';
import type { Stores } from '../domain/stores.ts';
import type { Engines } from '../engines/engines.ts';
import type { Identity, IdentityUsers, OperatorIdentity } from '../gateways/identity.ts';
import type { PixGateway } from '../gateways/pix-gateway.ts';
import type { SocialLogin } from '../gateways/social-login.ts';
import type { SocialNetwork } from '../gateways/social-network.ts';
import type { SubscriptionGateway } from '../gateways/subscription-gateway.ts';
import type { MeasuringHost } from '../media-files/read-media.ts';
import type { AwsAccess } from '../platform/aws-access.ts';
import type { Bucket } from '../platform/bucket.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { ContentCertificate } from '../platform/content-certificate.ts';
import type { DeadLetters } from '../platform/dead-letters.ts';
import { dynamoTable, type Table } from '../platform/dynamo-table.ts';
import type { FileStorage } from '../platform/file-storage.ts';
import { type Ids, randomIds } from '../platform/ids.ts';
import { embeddedMetrics } from '../platform/metrics.ts';
import type { ObjectEraser } from '../platform/object-eraser.ts';
import type { Outbound } from '../platform/outbound.ts';
import type { Queue } from '../platform/queue.ts';
import type { Reachability } from '../platform/reachability.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { Secrets } from '../platform/secrets.ts';
import { type Settings, settingsOf } from '../platform/settings.ts';
import type { StoredObjects } from '../platform/stored-objects.ts';
import type { Tombstones } from '../platform/tombstones.ts';
import type { WebhookSecrets, WebhookTokens } from '../platform/webhook-secrets.ts';
import type { WorkStorage } from '../platform/work-storage.ts';
import type { Workflow } from '../platform/workflow.ts';
import type { MarkingHost } from '../provenance/content-credentials.ts';
import type { Provenance } from '../provenance/provenance.ts';
import type { TextWriter } from '../text-writers/text-writer.ts';
import type { VideoResolver } from '../video-resolvers/video-resolver.ts';
import { plainErrors } from './plain-error.ts';
import { leftOutReporter } from './report-left-out.ts';
import { readerFailureReporter } from './report-reader-failure.ts';

export interface Context {
  readonly table: Table;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  /** How untrusted media files are measured. */
  readonly measuring?: MeasuringHost;
  /** How results are marked with Content Credentials. */
  readonly marking?: MarkingHost;
}

/** Stores and other ports; a function's bundle contains only those that the function names. */
export interface Ports extends Omit<Stores, 'table'> {
  readonly bucket: Bucket;
  readonly contentCertificate: ContentCertificate;
  readonly deadLetters: DeadLetters;
  readonly engines: Engines;
  readonly fileStorage: FileStorage;
  readonly identity: Identity;
  readonly inboxQueue: Queue;
  readonly inputs: Bucket;
  readonly objectEraser: ObjectEraser;
  readonly operatorIdentity: OperatorIdentity;
  readonly outbound: Outbound;
  readonly pixGateway: PixGateway;
  readonly provenance: Provenance;
  readonly queue: Queue;
  readonly reachability: Reachability;
  readonly secretBox: SecretBox;
  readonly secrets: Secrets;
  readonly sessions: SessionStore;
  readonly socialLogin: SocialLogin;
  readonly socialNetwork: SocialNetwork;
  readonly storedObjects: StoredObjects;
  readonly subscriptionGateway: SubscriptionGateway;
  readonly textWriter: TextWriter;
  readonly tombstones: Tombstones;
  readonly users: IdentityUsers;
  readonly videoResolver: VideoResolver;
  readonly webhookSecrets: WebhookSecrets;
  readonly webhookTokens: WebhookTokens;
  readonly work: WorkStorage;
  readonly workflow: Workflow;
}

export type PortName = keyof Ports;

/** Creates the ports that a function names. */
export type PortFactories<Names extends PortName> = { readonly [Name in Names]: (context: Context) => Ports[Name] };

export type With<Names extends PortName> = Context & Pick<Ports, Names>;

interface Options {
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Adjusts how each AWS service is reached. */
  readonly connect?: (access: AwsAccess) => AwsAccess;
  /** Called for rows that lists leave out; by default they are logged and counted in a metric. */
  readonly leftOut?: Table['leftOut'];
}

/** Creates a context from an environment; only the clock and ids can be replaced. */
export function createContext(
  environment: Readonly<Record<string, string | undefined>>,
  { clock = systemClock, ids = randomIds(clock), connect, ...given }: Options = {},
): Context {
  const settings = settingsOf(environment, connect);
  const logger = new Logger({ serviceName: settings.serviceName, jsonReplacerFn: plainErrors });
  const metrics: ServiceMetrics = embeddedMetrics(settings, metricUnits);
  const leftOut = given.leftOut ?? leftOutReporter({ logger, metrics });
  const table = { ...dynamoTable(settings.tableName, settings.aws('DYNAMODB')), leftOut };
  const measuring = { readerFailed: readerFailureReporter({ logger, metrics }) };
  return { table, settings, clock, ids, logger, metrics, measuring };
}

/** A function that is not yet bound to a context, so that importing it reads nothing and connects to nothing. */
export interface Definition<Handler> {
  (context: Context): Handler;
  /**
   * Runs code paths of the first call in advance, in a context without a network, so that they are already compiled.
   */
  readonly warmUp?: (context: Context) => unknown;
  /** Creates the function's ports, by name. */
  readonly ports?: Readonly<Record<string, (context: Context) => unknown>>;
}

/** Adds a function's ports to a context; ports that the context lacks are created on the first call. */
export function bindPorts<Names extends PortName>(
  context: Context,
  factories: PortFactories<Names>,
): () => With<Names> {
  let bound: With<Names> | undefined;
  return () => {
    if (bound) return bound;
    const missing = Object.entries<(context: Context) => unknown>(factories).filter(([name]) => !(name in context));
    const made = missing.map(([name, make]) => [name, make(context)]);
    bound = { ...context, ...Object.fromEntries(made) } as With<Names>;
    return bound;
  };
}
