/** Whether the parts that the service is made of answer: two signed requests, without the clients that work with them. */
import { AwsClient } from 'aws4fetch';
import type { Settings } from './settings.ts';

export interface Reachability {
  storage(): Promise<boolean>;
  queue(): Promise<boolean>;
}

/** A part that takes longer is no use to a request either. */
const patienceMs = 2000;

const credentials = (environment: NodeJS.ProcessEnv) => ({
  accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
  secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
  ...(environment.AWS_SESSION_TOKEN && { sessionToken: environment.AWS_SESSION_TOKEN }),
  region: environment.AWS_REGION ?? 'us-east-1',
  retries: 0,
});

export function reachability({ settings }: { readonly settings: Settings }): Reachability {
  const environment = process.env;
  const client = new AwsClient(credentials(environment));

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
      const { AWS_REGION: region, AWS_ENDPOINT_URL_S3: local, AWS_ENDPOINT_URL: everywhere } = environment;
      const endpoint = local ?? everywhere ?? `https://s3.${region}.amazonaws.com`;
      return answers('s3', `${endpoint}/${settings.resultsBucket}`, { method: 'HEAD' });
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
