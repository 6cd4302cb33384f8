import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type QueuesAndStorage, startQueuesAndStorage } from '../../../infra/local/queues-and-storage.ts';
import { jsonForQueues } from '../../../shared/platform/queue.ts';

let dataDir: string;
const cleanUp: (() => unknown)[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'queues-'));
});

afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
  rmSync(dataDir, { recursive: true, force: true });
});

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

type Services = QueuesAndStorage & { sqs: SQSClient; s3: S3Client };

async function started(options: Parameters<typeof startQueuesAndStorage>[0]): Promise<Services> {
  const services = await startQueuesAndStorage(options);
  cleanUp.push(() => services.close());
  return { ...services, ...clientsOf(services.url) };
}

function clientsOf(endpoint: string): { sqs: SQSClient; s3: S3Client } {
  const sqs = new SQSClient({ endpoint, region: 'us-east-1', credentials });
  const s3 = new S3Client({ endpoint, region: 'us-east-1', credentials, forcePathStyle: true });
  cleanUp.push(() => {
    sqs.destroy();
    s3.destroy();
  });
  return { sqs, s3 };
}

const send = (services: Services, body: string, delaySeconds = 0): Promise<unknown> =>
  services.sqs.send(
    new SendMessageCommand({ QueueUrl: services.queueUrls.webhooks, MessageBody: body, DelaySeconds: delaySeconds }),
  );

async function receive({ sqs }: Services, queueUrl: string, waitSeconds = 0): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: 10,
    WaitTimeSeconds: waitSeconds,
    MessageSystemAttributeNames: ['All'],
  });
  return (await sqs.send(command)).Messages ?? [];
}

const bodies = (messages: Message[]): (string | undefined)[] => messages.map((message) => message.Body);

it('the local AWS services have queue URLs that need no name resolution, and a storage bucket', async () => {
  const services = await started({ visibilityTimeoutSeconds: 30 });
  expect(services.queueUrls.webhooks).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/000000000000\/webhooks$/);
  expect(services.deadLetterUrls.webhooks).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/000000000000\/webhooks-dead-letters$/);
  await services.s3.send(new PutObjectCommand({ Bucket: services.resultsBucket, Key: 'a/b.txt', Body: 'hello' }));
  const read = await services.s3.send(new GetObjectCommand({ Bucket: services.resultsBucket, Key: 'a/b.txt' }));
  expect(await read.Body?.transformToString()).toBe('hello');
});

it('the local queue moves a message to the dead-letter queue after five failed receives', async () => {
  const services = await started({ visibilityTimeoutSeconds: 0 });
  await send(services, 'poison');
  for (let count = 1; count <= 5; count++) {
    const [message] = await receive(services, services.queueUrls.webhooks, 2);
    expect(message?.Attributes?.ApproximateReceiveCount).toBe(String(count));
  }
  expect(await receive(services, services.queueUrls.webhooks)).toStrictEqual([]);
  expect(bodies(await receive(services, services.deadLetterUrls.webhooks))).toStrictEqual(['poison']);
});

it('a queue takes messages with every character, which arrive as they were sent', async () => {
  const services = await started({ visibilityTimeoutSeconds: 30 });
  const message = { text: 'Olá 👋 \u{10FFFF} \uFFFE\uFFFF \uD800 \u0000 \\uD83D' };
  await send(services, jsonForQueues(message));
  const [received] = await receive(services, services.queueUrls.webhooks);
  expect(JSON.parse(received?.Body ?? '')).toEqual(message);
});

it('the local AWS services keep messages, including delayed ones, and objects across a restart on another port', async () => {
  const before = await started({ dataDir, visibilityTimeoutSeconds: 30 });
  await send(before, 'ready');
  await send(before, 'delayed', 1);
  await before.s3.send(new PutObjectCommand({ Bucket: before.resultsBucket, Key: 'a', Body: 'kept' }));
  await before.close();

  const after = await started({ dataDir, visibilityTimeoutSeconds: 60 });
  const attributes = await after.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: after.queueUrls.webhooks, AttributeNames: ['All'] }),
  );
  expect(attributes.Attributes).toMatchObject({ VisibilityTimeout: '60' });
  expect(bodies(await receive(after, after.queueUrls.webhooks))).toStrictEqual(['ready']);
  expect(bodies(await receive(after, after.queueUrls.webhooks, 5))).toStrictEqual(['delayed']);
  const read = await after.s3.send(new GetObjectCommand({ Bucket: after.resultsBucket, Key: 'a' }));
  expect(await read.Body?.transformToString()).toBe('kept');
});

it('the local queue returns messages received by a killed service after their visibility timeout, but no deleted ones', async () => {
  const module = JSON.stringify(new URL('../../../infra/local/queues-and-storage.ts', import.meta.url).href);
  const code = `
    const { startQueuesAndStorage } = await import(${module});
    const services = await startQueuesAndStorage({ dataDir: ${JSON.stringify(dataDir)}, visibilityTimeoutSeconds: 3 });
    process.stdout.write(JSON.stringify(services));`;
  const service = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUp.push(() => service.kill('SIGKILL'));
  const [line] = await once(service.stdout, 'data');
  const killed = JSON.parse(String(line)) as QueuesAndStorage;
  const services: Services = { ...killed, ...clientsOf(killed.url) };
  await send(services, 'done');
  const [done] = await receive(services, services.queueUrls.webhooks);
  await services.sqs.send(
    new DeleteMessageCommand({ QueueUrl: services.queueUrls.webhooks, ReceiptHandle: done?.ReceiptHandle }),
  );
  await send(services, 'in flight');
  expect(bodies(await receive(services, services.queueUrls.webhooks))).toStrictEqual(['in flight']);
  service.kill('SIGKILL');
  await once(service, 'exit');

  const restarted = await started({ dataDir, visibilityTimeoutSeconds: 3 });
  expect(await receive(restarted, restarted.queueUrls.webhooks)).toStrictEqual([]);
  const [message, ...others] = await receive(restarted, restarted.queueUrls.webhooks, 10);
  expect(message?.Body).toBe('in flight');
  expect(message?.Attributes?.ApproximateReceiveCount).toBe('2');
  expect(others).toStrictEqual([]);
});

const otherAddress = Object.values(networkInterfaces())
  .flat()
  .find((network) => network?.family === 'IPv4' && !network.internal)?.address;

it.skipIf(otherAddress === undefined)('the local AWS services reject connections from other machines', async () => {
  const { url } = await started({ visibilityTimeoutSeconds: 30 });
  const request = 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const responseAt = async (host: string): Promise<string> => {
    const socket = connect(Number(new URL(url).port), host);
    let response = '';
    socket.on('data', (chunk) => {
      response += String(chunk);
    });
    socket.on('error', () => undefined);
    socket.write(request);
    await once(socket, 'close');
    return response;
  };
  expect(await responseAt('127.0.0.1')).toContain('200 OK');
  expect(await responseAt(otherAddress ?? '')).toBe('');
});
