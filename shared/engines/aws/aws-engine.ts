/**
 * Adapter to AWS services that process files in the service's own bucket. They are called with the functions' roles
 * instead of keys. Jobs are polled, and a job's reference begins with the name of its AWS service.
 */
import type { OpenStoredObject } from '../../platform/object-reader.ts';
import type {
  Engine,
  EngineAcceptance,
  EngineBusy,
  EngineDownload,
  EngineJob,
  EngineLoss,
  EngineOutcome,
  EngineOutput,
  EngineProgress,
} from '../engine.ts';

/** The jobs of one AWS service, with that service's own ids. */
export interface AwsJobs {
  submit(job: EngineJob): Promise<{ readonly status: 'accepted'; readonly id: string } | EngineOutcome | EngineBusy>;
  check(id: string): Promise<EngineProgress | EngineOutcome | EngineLoss>;
  cancel(id: string): Promise<void>;
}

export interface AwsEngineAccess {
  /** Job implementations, by the model name of the job. */
  readonly services: Readonly<Record<string, AwsJobs>>;
  /** The name of the bucket that outputs are in. */
  readonly bucket: () => string;
  readonly open: OpenStoredObject;
}

/** Downloads an output, whose URL is its location in the bucket; reading it requires the functions' roles. */
async function download({ url }: Pick<EngineOutput, 'url'>, access: AwsEngineAccess): Promise<EngineDownload> {
  const prefix = `s3://${access.bucket()}/`;
  if (!url.startsWith(prefix)) throw new Error('the output is not in the bucket of the service');
  return access.open(access.bucket(), url.slice(prefix.length));
}

/**
 * Creates the engine. Its functions throw an Error if a service cannot be reached or rejects the roles; errors contain
 * only error names.
 */
export function awsEngine(access: AwsEngineAccess): Engine {
  const named = (name: string): AwsJobs => {
    const service = Object.hasOwn(access.services, name) ? access.services[name] : undefined;
    if (!service) throw new Error('the job names no service of AWS that is known');
    return service;
  };
  const parsed = (reference: string) => {
    const [, name = '', id = ''] = /^([a-z]+):(.+)$/.exec(reference) ?? [];
    return { service: named(name), id };
  };

  return {
    async submit(job): Promise<EngineAcceptance | EngineOutcome | EngineBusy> {
      const name = job.model ?? '';
      const submitted = await named(name).submit(job);
      if (submitted.status !== 'accepted') return submitted;
      return { status: 'accepted', reference: `${name}:${submitted.id}`, completion: 'polling' };
    },
    async check(reference) {
      const { service, id } = parsed(reference);
      return service.check(id);
    },
    async cancel(reference) {
      const { service, id } = parsed(reference);
      await service.cancel(id);
    },
    readCallback: async () => undefined,
    download: (output) => download(output, access),
  };
}
