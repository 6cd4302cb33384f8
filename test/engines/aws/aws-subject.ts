/** The adapter to AWS, with a fake of MediaConvert that works on a local storage. */
import { buffer } from 'node:stream/consumers';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { type MediaConvertFakeOptions, startMediaConvertFake } from '../../../fakes/mediaconvert/mediaconvert-fake.ts';
import { localAccess } from '../../../infra/local/local-access.ts';
import { startQueuesAndStorage } from '../../../infra/local/queues-and-storage.ts';
import { awsEngine } from '../../../shared/engines/aws/aws-engine.ts';
import { clipJobs } from '../../../shared/engines/aws/clip-jobs.ts';
import { type ClipOrder, clipAtAws } from '../../../shared/engines/aws/clip-order.ts';
import type { Engine, EngineOutput } from '../../../shared/engines/engine.ts';
import { mediaConverter } from '../../../shared/platform/media-converter.ts';
import { objectReader } from '../../../shared/platform/object-reader.ts';
import { eventually } from '../../support/eventually.ts';

export async function startStorage() {
  const parts = await startQueuesAndStorage({ visibilityTimeoutSeconds: 30 });
  const client = new S3Client({ ...localAccess(parts.url), forcePathStyle: true });
  return {
    bucket: parts.inputsBucket,
    access: localAccess(parts.url),
    put: (Key: string, Body: Uint8Array | string) =>
      client.send(new PutObjectCommand({ Bucket: parts.inputsBucket, Key, Body })),
    close: () => {
      client.destroy();
      return parts.close();
    },
  };
}

export type StartedStorage = Awaited<ReturnType<typeof startStorage>>;

interface Access {
  readonly smartCrop?: boolean;
  readonly url?: string;
}

const opened: { close(): Promise<void> }[] = [];

export const closeAll = async (): Promise<void> => {
  for (const thing of opened.splice(0)) await thing.close();
};

export async function onFake(
  storage: StartedStorage,
  options: Partial<MediaConvertFakeOptions> = {},
  { smartCrop = false, url }: Access = {},
) {
  const fake = await startMediaConvertFake({ storage: storage.access, ...options });
  opened.push(fake);
  const converter = mediaConverter({
    aws: localAccess(url ?? fake.url),
    role: () => 'arn:aws:iam::000000000000:role/clips',
    queue: () => 'arn:aws:mediaconvert:us-east-1:000000000000:queues/clips',
  });
  const bucket = () => storage.bucket;
  const engine = awsEngine({
    services: { mediaconvert: clipJobs({ converter, bucket, smartCrop: () => smartCrop }) },
    bucket,
    open: objectReader(storage.access),
  });
  return { fake, engine };
}

export const job = (order: ClipOrder, taskId = 'task-1.cut-01') => ({
  ...clipAtAws(order),
  taskId,
  taskType: 'cortes',
  callbackUrl: 'http://127.0.0.1:1/never?task=secret-address',
  keep: () => Promise.reject(new Error('nothing is stored here')),
});

export async function accepted(engine: Engine, order: ClipOrder, taskId?: string): Promise<string> {
  const response = await engine.submit(job(order, taskId));
  if (response.status !== 'accepted') throw new Error(`it was ${JSON.stringify(response)}`);
  return response.reference;
}

export const ended = (engine: Engine, reference: string) =>
  eventually('the end of a job', async () => {
    const state = await engine.check(reference);
    return 'progress' in state ? undefined : state;
  });

export async function outputOf(engine: Engine, order: ClipOrder): Promise<EngineOutput> {
  const end = await ended(engine, await accepted(engine, order));
  const [output] = end.status === 'done' ? end.outputs : [];
  if (!output) throw new Error(`it ended as ${JSON.stringify(end)}`);
  return output;
}

export const bytesOf = async (engine: Engine, output: EngineOutput): Promise<Buffer> =>
  buffer((await engine.download(output)).body);
