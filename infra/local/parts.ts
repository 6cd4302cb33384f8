/** The local substitutes for AWS resources: database, queues and storage, the offline engine and the sandboxes. */
import { join } from 'node:path';
import { startMercadoPagoFake } from '../../fakes/mercado-pago/mercado-pago-fake.ts';
import { startMetaFake } from '../../fakes/meta/meta-fake.ts';
import { type ProviderFakeName, providerFakes } from '../../fakes/provider-fakes.ts';
import { startStripeFake } from '../../fakes/stripe/stripe-fake.ts';
import { type OfflineEngineOptions, startOfflineEngine } from '../../offline-engine/offline-engine.ts';
import { startDatabase } from './database/database.ts';
import type { IdentityProvider } from './identity/identity-provider.ts';
import type { Keys } from './keys.ts';
import { type QueuesAndStorage, startQueuesAndStorage } from './queues-and-storage.ts';
import { startStorageThread } from './storage-thread.ts';

export interface PartsOptions {
  readonly dataDir: string;
  readonly inMemory: boolean;
  readonly keys: Keys;
  /** The fake of a provider, which becomes the preferred engine. */
  readonly fake?: ProviderFakeName | undefined;
  readonly engine: Pick<OfflineEngineOptions, 'latencyMs' | 'failure' | 'onFailure'>;
  readonly onDatabaseExit: (reason: string) => void;
  /** The URL to which the sandbox for subscriptions sends events. */
  readonly subscriptionEventsUrl: string;
  /** The URL to which the sandbox of social networks sends events. */
  readonly socialEventsUrl: string;
  /** The site to which the local identity provider redirects; if absent, it is not started and logging in is impossible. */
  readonly identity?: { readonly siteUrl: string } | undefined;
  /** For tests: the clock of the sandboxes and the identity provider. */
  readonly now?: () => number;
}

async function startIdentity({ identity, now = Date.now }: PartsOptions): Promise<IdentityProvider | undefined> {
  if (!identity) return undefined;
  // The identity provider is imported only if needed, because its library takes time to load and most test services do
  // not use it.
  const { startIdentityProvider } = await import('./identity/identity-provider.ts');
  return startIdentityProvider({ ...identity, now });
}

interface Part {
  close(): Promise<void>;
}

/**
 * Starts the sandboxes, once no other service uses their state. The state is stored if the service stores its own data.
 */
function startSandboxes(
  { dataDir, inMemory, keys, subscriptionEventsUrl, socialEventsUrl, now }: PartsOptions,
  dataLocked: Promise<unknown>,
) {
  const keptAs = (name: string) => ({
    ...(!inMemory && { path: join(dataDir, 'sandboxes', `${name}.jsonl`) }),
    ...(now && { now }),
  });
  const { mercadoPagoToken: token, mercadoPagoWebhookSecret, stripeKey, stripeWebhookSecret, metaAppSecret } = keys;
  return {
    payments: dataLocked.then(() =>
      startMercadoPagoFake({ token, webhookSecret: mercadoPagoWebhookSecret, ...keptAs('mercado-pago') }),
    ),
    subscriptions: dataLocked.then(() =>
      startStripeFake({
        key: stripeKey,
        webhookSecret: stripeWebhookSecret,
        webhookUrl: subscriptionEventsUrl,
        ...keptAs('stripe'),
      }),
    ),
    social: dataLocked.then(() =>
      startMetaFake({ appSecret: metaAppSecret, eventsUrl: socialEventsUrl, ...keptAs('meta') }),
    ),
  };
}

/** A service that stores its data may be given large files; one in memory starts sooner without a thread. */
const startStorage = ({ dataDir, inMemory }: PartsOptions): Promise<QueuesAndStorage> =>
  inMemory ? startQueuesAndStorage({}) : startStorageThread({ dataDir: join(dataDir, 'queues-and-storage') });

/** Starts all parts concurrently; if one fails to start, the others are stopped. */
export async function startParts(options: PartsOptions) {
  const { dataDir, inMemory, keys, engine, fake: fakeName, onDatabaseExit } = options;
  const offlineEngineStarting = startOfflineEngine({
    key: keys.offlineEngineKey,
    filesDir: join(dataDir, 'offline-engine'),
    ...engine,
  });
  const databaseStarting = startDatabase({ dataDir: join(dataDir, 'database'), inMemory, onExit: onDatabaseExit });
  const starting = {
    database: databaseStarting,
    queues: startStorage(options),
    offlineEngine: offlineEngineStarting,
    ...startSandboxes(options, databaseStarting),
    identity: startIdentity(options),
    fake: fakeName ? providerFakes[fakeName](keys.fakeKey) : Promise.resolve(undefined),
  };
  const settled = await Promise.allSettled(Object.values<Promise<Part | undefined>>(starting));
  const close = async () => {
    const running = settled.filter((part) => part.status === 'fulfilled').map(({ value }) => value);
    await Promise.all(running.filter((part) => part !== undefined).map((part) => part.close()));
  };
  const failed = settled.find((part) => part.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  const [database, queues, offlineEngine, payments, subscriptions, social, identity, fake] = await Promise.all([
    starting.database,
    starting.queues,
    starting.offlineEngine,
    starting.payments,
    starting.subscriptions,
    starting.social,
    starting.identity,
    starting.fake,
  ]);
  return { database, queues, offlineEngine, payments, subscriptions, social, identity, fake, close };
}

export type Parts = Awaited<ReturnType<typeof startParts>>;
