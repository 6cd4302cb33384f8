/**
 * The adapter to services of AWS that work on files in the service's own bucket, with the functions' roles and without
 * keys. Jobs are polled, and their references begin with the name of their service.
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

/** The jobs of one service, by the ids that it gave them. */
export interface AwsJobs {
  submit(job: EngineJob): Promise<{ readonly status: 'accepted'; readonly id: string } | EngineOutcome | EngineBusy>;
  check(id: string): Promise<EngineProgress | EngineOutcome | EngineLoss>;
  cancel(id: string): Promise<void>;
}

export interface AwsEngineAccess {
  /** By the names that jobs have as their models. */
  readonly services: Readonly<Record<string, AwsJobs>>;
  /** The bucket of the outputs. */
  readonly bucket: () => string;
  readonly open: OpenStoredObject;
}

/** An output is named by its place in the bucket, so that reading it needs the functions' roles. */
async function download({ url }: Pick<EngineOutput, 'url'>, access: AwsEngineAccess): Promise<EngineDownload> {
  const prefix = `s3://${access.bucket()}/`;
  if (!url.startsWith(prefix)) throw new Error('the output is not in the bucket of the service');
  return access.open(access.bucket(), url.slice(prefix.length));
}

/** Its functions throw an Error if a service cannot be reached or refuses the roles. Errors contain only names of faults. */
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
