/** Performs a job: rejects its input, ends it as requested, or generates files. */
import { randomBytes } from 'node:crypto';
import type { GeneratedFile, ModelInput, WorkOptions } from './fal-endpoint.ts';
import { falEndpoints, rejectionOf } from './fal-endpoints.ts';
import { FalFault, type FalReply, faultReply, queueFault, undocumentedFault } from './fal-faults.ts';
import type { FalJob } from './fal-queue.ts';

/** Replaces the model in generating the files of a job; may throw FalFault. */
export type GenerateFiles = (
  endpoint: string,
  input: ModelInput,
  signal: AbortSignal,
) => Promise<readonly GeneratedFile[]>;

/** The files that the fake serves, by name; the oldest are dropped when there are too many. */
export type ServedFiles = Map<string, GeneratedFile>;

interface PerformOptions extends WorkOptions {
  readonly make: GenerateFiles;
  readonly files: ServedFiles;
  readonly filesUrl: string;
}

const maxFiles = 500;

/** Generates the files of a model. */
export const generateFiles: GenerateFiles = async (endpoint, input, signal) => {
  const model = falEndpoints[endpoint];
  return model && model.output !== 'document' ? model.filesOf(input, { signal }) : [];
};

const serve = (file: GeneratedFile, { files, filesUrl }: PerformOptions) => {
  const { bytes, contentType, width, height } = file;
  const name = `${randomBytes(16).toString('hex')}.${contentType.split('/')[1]}`;
  files.set(name, file);
  const [oldest] = files.keys();
  if (files.size > maxFiles && oldest !== undefined) files.delete(oldest);
  const content = { content_type: contentType, file_name: name, file_size: bytes.byteLength };
  return { url: `${filesUrl}/${name}`, ...content, ...(width !== undefined && { width, height }) };
};

/** What the job is charged, in the unit of its model's price: images, seconds of video, 1000 characters, or the job. */
const unitsOf = ({ text, duration }: ModelInput, files: readonly unknown[], output: string | undefined): number => {
  if (output === 'images') return files.length;
  return typeof text === 'string' ? text.length / 1000 : Number.parseInt(String(duration), 10) || 1;
};

const made = async ({ endpoint, input, behavior }: FalJob, options: PerformOptions): Promise<FalReply> => {
  const model = falEndpoints[endpoint];
  if (model?.output === 'document') return { status: 200, body: await model.documentOf(input, options) };
  const generated = behavior.end === 'empty' ? [] : await options.make(endpoint, input, options.signal);
  const files = generated.map((file) => serve(file, options));
  const content = model?.output !== 'images' && files[0] ? { [model?.output ?? '']: files[0] } : { images: files };
  const flags = behavior.end === 'nsfw' ? { has_nsfw_concepts: files.map(() => true) } : {};
  const headers = { 'X-Fal-Billable-Units': String(unitsOf(input, files, model?.output)) };
  return { status: 200, headers, body: { ...content, ...generated[0]?.facts, ...flags } };
};

/** Performs a job. Never rejects: every failure becomes a response. */
export const performFalJob = async (job: FalJob, options: PerformOptions): Promise<FalReply> => {
  const { endpoint, input, behavior } = job;
  const known = falEndpoints[endpoint];
  const rejection = known && rejectionOf(known, input);
  if (rejection) return rejection;
  if (behavior.end === 'plain-error') return { status: 500, body: { detail: 'Internal Server Error' } };
  if (behavior.end === 'undocumented-type') return undocumentedFault;
  if (behavior.end !== 'done' && behavior.end !== 'nsfw' && behavior.end !== 'empty') return faultReply(behavior.end);
  try {
    return await made(job, options);
  } catch (error) {
    if (error instanceof FalFault) return faultReply(error.type);
    if (!options.signal.aborted) console.error(`The fal.ai fake failed at request ${job.requestId}:`, error);
    return queueFault('internal_error', 'Internal server error');
  }
};
