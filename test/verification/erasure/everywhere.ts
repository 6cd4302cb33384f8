/** Everything that a local service has stored, queued and logged, by its place, as bytes in which a test searches. */
import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { unzipSync } from 'fflate';
import { localAccess } from '../../../infra/local/local-access.ts';
import { storedItems } from '../../support/stored-items.ts';
import type { TestService } from '../../support/test-service.ts';

/** The bytes, and what they contain if they are compressed. */
function unpacked(bytes: Buffer): Buffer {
  const head = bytes.toString('latin1', 0, 2);
  if (head === '\u001f\u008b') return Buffer.concat([bytes, unpacked(gunzipSync(bytes))]);
  if (head !== 'PK') return bytes;
  return Buffer.concat([
    bytes,
    ...Object.entries(unzipSync(bytes)).flatMap(([name, one]) => [Buffer.from(name), Buffer.from(one)]),
  ]);
}

export type Places = ReadonlyMap<string, Buffer>;

/** The rows that have not expired, by their keys; each has its keys and those of the indexes. */
export async function rowsIn({ service }: TestService): Promise<Places> {
  const now = service.context.clock.now();
  const live = [...(await storedItems(service.environment))].filter(
    ([, { expiresAt }]) => expiresAt?.N === undefined || Number(expiresAt.N) * 1000 > now,
  );
  return new Map(
    live.map(([key, item]) => {
      const binaries = Object.values(item).flatMap(({ B }) => (B ? [unpacked(Buffer.from(B))] : []));
      return [key, Buffer.concat([Buffer.from(JSON.stringify(item)), ...binaries])];
    }),
  );
}

/** The objects of both buckets, by their keys, each with its metadata. */
export async function objectsIn({ service }: TestService): Promise<Places> {
  const client = new S3Client({ ...localAccess(service.environment.AWS_ENDPOINT_URL_S3 ?? ''), forcePathStyle: true });
  const found = new Map<string, Buffer>();
  for (const Bucket of ['inputs', 'results']) {
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
      for (const { Key = '' } of Contents) {
        const { Body, $metadata: _, ...about } = await client.send(new GetObjectCommand({ Bucket, Key }));
        const content = unpacked(Buffer.from((await Body?.transformToByteArray()) ?? []));
        found.set(`${Bucket} ${Key}`, Buffer.concat([Buffer.from(JSON.stringify([Key, about])), content]));
      }
    }
  }
  client.destroy();
  return found;
}

/** The messages that the queues and their dead-letter queues have, by the URLs of these. */
export async function messagesIn({ service }: TestService): Promise<Places> {
  const { settings } = service.context;
  const client = new SQSClient(settings.aws('SQS'));
  const { webhookQueueUrl, paymentQueueUrl, inboxQueueUrl } = settings;
  const own = [webhookQueueUrl, paymentQueueUrl, inboxQueueUrl];
  const urls = own.flatMap((url) => [url, `${url}-dead-letters`]);
  const found = await Promise.all(
    urls.map(async (QueueUrl) => {
      const command = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 0,
        AttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      });
      const { Messages = [] } = await client.send(command);
      return [QueueUrl, Buffer.from(JSON.stringify(Messages))] as const;
    }),
  );
  client.destroy();
  return new Map(found);
}
