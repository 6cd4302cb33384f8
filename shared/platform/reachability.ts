/** Checks whether the service's dependencies respond, using signed requests instead of their SDK clients. */
import { AwsClient } from 'aws4fetch';
import { cached } from './cached.ts';
import type { Clock } from './clock.ts';
import type { Settings } from './settings.ts';

/** For each dependency, whether it responds. */
export type Reached = Readonly<Record<'database' | 'storage' | 'queue', boolean>>;

export interface Reachability {
  /**
   * Returns a result that is at most five seconds old: the endpoint is public, so callers must not be able to overload
   * the dependencies.
   */
  check(): Promise<Reached>;
}

/** The time limit of a check: a slower dependency would be of no use to a request either. */
const patienceMs = 2000;

const staleAfterMs = 5000;

export interface ReachabilityProps {
  readonly settings: Settings;
  readonly clock: Clock;
  /** Whether the database responds. */
  readonly database: () => Promise<boolean>;
}

export function reachability({ settings, clock, database }: ReachabilityProps): Reachability {
  const { region = 'us-east-1', credentials, endpoint } = settings.aws('S3');
  const client = new AwsClient({ accessKeyId: '', secretAccessKey: '', ...credentials, region, retries: 0 });

  const isReachable = async (service: string, url: string, request: RequestInit): Promise<boolean> => {
    try {
      const signal = AbortSignal.timeout(patienceMs);
      const response = await client.fetch(url, { ...request, signal, aws: { service } });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  };

  const storage = (): Promise<boolean> => {
    const storageUrl = endpoint ?? `https://s3.${region}.amazonaws.com`;
    return isReachable('s3', `${storageUrl}/${settings.resultsBucket}`, { method: 'HEAD' });
  };
  const queue = (): Promise<boolean> => {
    const { origin } = new URL(settings.webhookQueueUrl);
    return isReachable('sqs', origin, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': 'AmazonSQS.GetQueueAttributes' },
      body: JSON.stringify({ QueueUrl: settings.webhookQueueUrl, AttributeNames: ['QueueArn'] }),
    });
  };
  const checkAll = async (): Promise<Reached> => {
    const [isDatabase, isStorage, isQueue] = await Promise.all([database(), storage(), queue()]);
    return { database: isDatabase, storage: isStorage, queue: isQueue };
  };
  const current = cached(staleAfterMs, clock, checkAll);
  return { check: () => current.read() };
}
