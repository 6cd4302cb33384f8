/** Performs a job: its input is rejected, it ends as it wishes to, or it makes images. */
import { randomBytes } from 'node:crypto';
import { falEndpoints, rejectionOf } from './fal-endpoints.ts';
import { FalFault, type FalReply, faultReply, queueFault, undocumentedFault } from './fal-faults.ts';
import type { FalJob } from './fal-job.ts';
import type { MadeImage, MakeImages } from './made-image.ts';

/** Files that the fake serves, by name; the oldest go when there are too many. */
export type ServedFiles = Map<string, MadeImage>;

interface PerformOptions {
  readonly make: MakeImages;
  readonly files: ServedFiles;
  readonly filesUrl: string;
  /** Aborted when the job's outcome is no longer needed. */
  readonly signal: AbortSignal;
}

const maxFiles = 500;

const serve = (image: MadeImage, { files, filesUrl }: PerformOptions) => {
  const { bytes, contentType, width, height } = image;
  const name = `${randomBytes(16).toString('hex')}.${contentType.split('/')[1]}`;
  files.set(name, image);
  const [oldest] = files.keys();
  if (files.size > maxFiles && oldest !== undefined) files.delete(oldest);
  return {
    url: `${filesUrl}/${name}`,
    content_type: contentType,
    file_name: name,
    file_size: bytes.byteLength,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
};

const made = async ({ endpoint, input, play }: FalJob, options: PerformOptions): Promise<FalReply> => {
  const { output, extras } = falEndpoints[endpoint] ?? { output: 'images', extras: {} };
  const images = play.end === 'empty' ? [] : await options.make(endpoint, input, options.signal);
  const files = images.map((image) => serve(image, options));
  const content = output === 'image' && files[0] ? { image: files[0] } : { images: files };
  const flags = play.end === 'nsfw' ? { has_nsfw_concepts: files.map(() => true) } : {};
  return { status: 200, body: { ...content, ...extras, ...flags } };
};

/** Never rejects: every failure is a response. */
export const performFalJob = async (job: FalJob, options: PerformOptions): Promise<FalReply> => {
  const { endpoint, input, play } = job;
  const known = falEndpoints[endpoint];
  const refusal = known && rejectionOf(known, input);
  if (refusal) return refusal;
  if (play.end === 'plain-error') return { status: 500, body: { detail: 'Internal Server Error' } };
  if (play.end === 'undocumented-type') return undocumentedFault;
  if (play.end !== 'done' && play.end !== 'nsfw' && play.end !== 'empty') return faultReply(play.end);
  try {
    return await made(job, options);
  } catch (error) {
    if (error instanceof FalFault) return faultReply(error.type);
    if (options.signal.aborted) return queueFault('client_cancelled', 'The request was cancelled');
    console.error(`The fal.ai fake failed at request ${job.requestId}:`, error);
    return queueFault('internal_error', 'Internal server error');
  }
};
