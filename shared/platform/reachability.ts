/** Checks whether the service's dependencies respond, with signed requests instead of their SDK clients. */
import { AwsClient } from 'aws4fetch';
import type { Settings } from './settings.ts';

export interface Reachability {
  storage(): Promise<boolean>;
  queue(): Promise<boolean>;
}

/** A dependency that takes longer is of no use to a request either. */
const patienceMs = 2000;

export function reachability({ settings }: { readonly settings: Settings }): Reachability {
  const { region = 'us-east-1', credentials, endpoint } = settings.aws('S3');
  const client = new AwsClient({ accessKeyId: '', secretAccessKey: '', ...credentials, region, retries: 0 });

  const answers = async (service: string, url: string, request: RequestInit): Promise<boolean> => {
    try {
      const signal = AbortSignal.timeout(patienceMs);
      const response = await client.fetch(url, { ...request, signal, aws: { service } });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  };

  return {
    storage() {
      const storageUrl = endpoint ?? `https://s3.${region}.amazonaws.com`;
      return answers('s3', `${storageUrl}/${settings.resultsBucket}`, { method: 'HEAD' });
    },
    queue() {
      const { origin } = new URL(settings.webhookQueueUrl);
      return answers('sqs', origin, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': 'AmazonSQS.GetQueueAttributes' },
        body: JSON.stringify({ QueueUrl: settings.webhookQueueUrl, AttributeNames: ['QueueArn'] }),
      });
    },
  };
}
