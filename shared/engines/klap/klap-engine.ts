/**
 * The adapter to Klap, version 2 of its API, as its reference documents it (docs.klap.app, 2026-11): a task turns a video
 * into a folder of projects, one for each clip, and each of them must be exported to become a file. Klap does not call
 * back and cannot be told to stop.
 *
 * It documents no idempotency. A submission whose response was lost may create a second task; after any response, there
 * is no second submission. Exports are begun a few at a time, and recorded in the job's reference before the next ones:
 * a process that ends in between repeats at most those few, which the service pays for and its customers do not.
 *
 * Unverified, because no account has been used: the HTTP statuses and bodies of errors, rate limits, whether a task
 * results in exactly `target_clip_count` clips, and how long the addresses of exports are valid.
 */
import type * as z from 'zod';
import type { Outbound } from '../../platform/outbound.ts';
import type { Engine, EngineFailure, EngineJob, EngineOutcome, EngineProgress } from '../engine.ts';
import { type ApiResponse, type AskApi, providerApi } from '../provider-api.ts';
import { downloadPublicOutput } from '../public-output.ts';
import { type KlapClip, KlapExportState, KlapProjects, KlapTask, rankedClips } from './klap-clips.ts';
import { type KlapExport, type KlapReference, parseKlapReference, referenceText } from './klap-reference.ts';

export interface KlapAccess {
  /** `https://api.klap.app/v2` */
  readonly url: string;
  readonly key: () => Promise<string>;
  /** Downloads the outputs. */
  readonly outbound: Pick<Outbound, 'open'>;
  /** Limits each exchange except downloads. Default: 8 s, several of which fit into a step. */
  readonly timeLimitMs?: number;
}

type Check = Awaited<ReturnType<Engine['check']>>;

/** As many as a process that ends in between may repeat. */
const simultaneousExports = 4;

const failed = (code: EngineFailure): EngineOutcome => ({ status: 'failed', code });

/** The operator's fault, such as an invalid key or an account without funds, or a temporary one. */
const isTemporary = ({ status }: ApiResponse): boolean => status >= 500 || [401, 402, 403, 408, 429].includes(status);

const unexpected = (act: string, { status }: ApiResponse): Error =>
  new Error(`Klap responded with ${status} to ${act}`);

/** A definite answer in another form than documented is the provider's fault, and asking again would not change it. */
function parsed<Form extends z.ZodType>(form: Form, act: string, response: ApiResponse): z.output<Form> | undefined {
  if (isTemporary(response)) throw unexpected(act, response);
  return response.isOk ? form.safeParse(response.body).data : undefined;
}

/** Published ranges: below 55 the video is analyzed, from there on it is cut. */
const analyzing: EngineProgress = { status: 'running', progress: 20 };
const cutting = (ready: number, { count }: KlapReference, reference?: KlapReference): EngineProgress => ({
  status: 'running',
  progress: 55 + Math.floor((40 * ready) / count),
  ...(reference && { reference: referenceText(reference) }),
});

async function submit(ask: AskApi, { input }: EngineJob): Promise<Awaited<ReturnType<Engine['submit']>>> {
  const response = await ask('/tasks/video-to-shorts', input);
  const { status } = response;
  if (status === 429) return { status: 'busy' };
  if (isTemporary(response)) throw unexpected('a submission', response);
  if ([400, 413, 415, 422].includes(status)) return failed('INPUT_INVALID');
  const task = parsed(KlapTask, 'a submission', response);
  if (!task) return failed('PROVIDER_ERROR');
  const reference = referenceText({ task: task.id, count: Number(input.target_clip_count) });
  return { status: 'accepted', reference, completion: 'polling' };
}

/** The clips in a folder, best first. */
async function clipsIn(ask: AskApi, folder: string): Promise<readonly KlapClip[] | undefined> {
  const projects = parsed(KlapProjects, 'a request for clips', await ask(`/projects/${folder}`));
  return projects && rankedClips(projects);
}

const exportsPath = (folder: string, project: string): string => `/projects/${folder}/${project}/exports`;

/** The best clips that are not exported yet; those that cannot be begun now are left to the next check. */
async function beginExports(
  ask: AskApi,
  reference: KlapReference,
  folder: string,
  clips: readonly KlapClip[],
): Promise<Check> {
  const { count, exports = [] } = reference;
  const others = clips.filter(({ project }) => !exports.some((one) => one.project === project));
  const next = others.slice(0, Math.min(simultaneousExports, count - exports.length));
  const begun = await Promise.allSettled(
    next.map(async ({ project }): Promise<KlapExport | undefined> => {
      const state = parsed(KlapExportState, 'an export', await ask(exportsPath(folder, project), {}));
      return state && { project, id: state.id };
    }),
  );
  const answered = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const added = answered.filter((one) => one !== undefined);
  if (added.length < answered.length) return failed('PROVIDER_ERROR');
  const [failure] = begun.filter((one) => one.status === 'rejected');
  if (failure && added.length === 0) throw failure.reason;
  return cutting(0, reference, { ...reference, folder, exports: [...exports, ...added] });
}

async function checkTask(ask: AskApi, reference: KlapReference): Promise<Check> {
  const response = await ask(`/tasks/${reference.task}`);
  if (response.status === 404) return { status: 'lost' };
  const task = parsed(KlapTask, 'a status request', response);
  if (task?.status === 'processing') return analyzing;
  if (task?.status !== 'ready' || !task.output_id) return failed('PROVIDER_ERROR');
  const clips = await clipsIn(ask, task.output_id);
  // Fewer clips than were paid for are no result: none of them is exported.
  if (!clips || clips.length < reference.count) return failed('PROVIDER_ERROR');
  return beginExports(ask, reference, task.output_id, clips);
}

type ExportState = z.output<typeof KlapExportState>;

/** The state of each export, a few at a time, up to the first ones that are not ready. */
async function statesOf(ask: AskApi, folder: string, exports: readonly KlapExport[]) {
  const states: (ExportState | undefined)[] = [];
  for (let first = 0; first < exports.length; first += simultaneousExports) {
    const group = exports.slice(first, first + simultaneousExports).map(async ({ project, id }) => {
      const response = await ask(`${exportsPath(folder, project)}/${id}`);
      return parsed(KlapExportState, 'a request for an export', response);
    });
    states.push(...(await Promise.all(group)));
    if (states.some((state) => state?.status !== 'ready')) break;
  }
  return states;
}

async function checkExports(ask: AskApi, reference: KlapReference, folder: string): Promise<Check> {
  const { count, exports = [] } = reference;
  const clips = await clipsIn(ask, folder);
  if (!clips) return failed('PROVIDER_ERROR');
  if (exports.length < count) return beginExports(ask, reference, folder, clips);
  const exported = clips.flatMap(({ project, clip }) => {
    const found = exports.find((one) => one.project === project);
    return found ? [{ ...found, clip }] : [];
  });
  const states = await statesOf(ask, folder, exported);
  const ready = states.flatMap((state) => (state?.status === 'ready' && state.src_url ? [state.src_url] : []));
  if (
    states.some(
      (state) => state === undefined || state.status === 'error' || (state.status === 'ready' && !state.src_url),
    )
  ) {
    return failed('PROVIDER_ERROR');
  }
  if (ready.length < count) return cutting(ready.length, reference);
  const outputs = ready.map((url, at) => ({ url, contentType: 'video/mp4', clip: exported[at]?.clip ?? {} }));
  return { status: 'done', outputs };
}

/** Errors contain a status, never the text of users or of Klap. */
export function klapEngine({ url, key, outbound, timeLimitMs = 8_000 }: KlapAccess): Engine {
  const ask = providerApi({
    provider: 'Klap',
    url: url.replace(/\/$/, ''),
    headersWith: (value) => ({ Authorization: `Bearer ${value}` }),
    key,
    timeLimitMs,
  });
  return {
    submit: (job) => submit(ask, job),
    async check(text) {
      const reference = parseKlapReference(text);
      const { folder } = reference;
      return folder === undefined ? checkTask(ask, reference) : checkExports(ask, reference, folder);
    },
    cancel: async () => undefined,
    readCallback: async () => undefined,
    download: (output) => downloadPublicOutput('Klap', output, outbound),
  };
}
