/**
 * Adapter to Klap, version 2 of its API, following its reference (docs.klap.app, 2026-11): a task turns a video into a
 * folder of projects, one per clip, and each project must be exported to a file. Klap does not call back and cannot be
 * told to stop.
 *
 * It documents no idempotency. If the response to a submission is lost, a second task may be created; after any
 * response, the job is not submitted again. Exports are started a few at a time, and recorded in the job's reference
 * before the next ones: a process that ends in between repeats at most those few, at the service's expense, not its
 * customers'.
 *
 * Unverified, because no account has been used: the HTTP statuses and bodies of errors, rate limits, whether a task
 * results in exactly `target_clip_count` clips, and how long the URLs of exports are valid.
 */

import type * as z from 'zod';
import { clipStages, minClipsOf } from '../../contracts/generate-cortes.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { Engine, EngineClip, EngineFailure, EngineJob, EngineOutcome, EngineProgress } from '../engine.ts';
import { type ApiResponse, type AskApi, providerApi } from '../provider-api.ts';
import { downloadPublicOutput } from '../public-output.ts';
import { tooFewClips } from '../too-few-clips.ts';
import { type KlapClip, KlapExportState, KlapProjects, KlapTask, rankedClips } from './klap-clips.ts';
import { type KlapExport, type KlapReference, parseKlapReference, referenceText } from './klap-reference.ts';

export interface KlapAccess {
  /** The base URL, `https://api.klap.app/v2`. */
  readonly url: string;
  readonly key: () => Promise<string>;
  /** Downloads the outputs. */
  readonly outbound: Pick<Outbound, 'open'>;
  /** The time limit of each exchange except downloads. Default: 8 s, so that several fit into a step. */
  readonly timeLimitMs?: number;
}

type Check = Awaited<ReturnType<Engine['check']>>;

/** How many exports are started at once: few, because a process that crashes in between repeats as many. */
const simultaneousExports = 4;

const failed = (code: EngineFailure): EngineOutcome => ({ status: 'failed', code });

/** Whether the fault is temporary or the operator's, such as an invalid key or an account without funds. */
const isTemporary = ({ status }: ApiResponse): boolean => status >= 500 || [401, 402, 403, 408, 429].includes(status);

const unexpected = (act: string, { status }: ApiResponse): Error =>
  new Error(`Klap responded with ${status} to ${act}`);

/**
 * Parses a response. If it has another form than documented, the provider is to blame, and a retry would not change it.
 */
function parsed<Form extends z.ZodType>(form: Form, act: string, response: ApiResponse): z.output<Form> | undefined {
  if (isTemporary(response)) throw unexpected(act, response);
  return response.isOk ? form.safeParse(response.body).data : undefined;
}

/** The progress until clips are found, because a task reports no stages; after that, clips are being cut. */
const begun: EngineProgress = { status: 'running', progress: clipStages.download };
const cutting = (ready: number, of: number, reference?: KlapReference): EngineProgress => ({
  status: 'running',
  progress: clipStages.cuts + Math.floor(((clipStages.end - clipStages.cuts) * ready) / of),
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

/** How many clips to export: at most as many as were paid for. */
const exportCount = (clips: readonly KlapClip[], { count }: KlapReference): number => Math.min(count, clips.length);

const isLost = ({ id }: KlapExport): boolean => id === undefined;

/** Starts an export; one that Klap rejects is recorded as lost. */
async function beginExport(ask: AskApi, folder: string, project: string): Promise<KlapExport> {
  const state = parsed(KlapExportState, 'an export', await ask(exportsPath(folder, project), {}));
  return { project, ...(state && { id: state.id }) };
}

/**
 * Starts exports of the best clips that are not exported yet; those that cannot be started now are left to the next
 * check.
 */
async function beginExports(
  ask: AskApi,
  reference: KlapReference,
  folder: string,
  clips: readonly KlapClip[],
): Promise<Check> {
  const { count, exports = [] } = reference;
  const wanted = exportCount(clips, reference);
  const others = clips.filter(({ project }) => !exports.some((one) => one.project === project));
  const next = others.slice(0, Math.min(simultaneousExports, wanted - exports.length));
  const requests = await Promise.allSettled(next.map(({ project }) => beginExport(ask, folder, project)));
  const added = requests.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [failure] = requests.filter((one) => one.status === 'rejected');
  if (failure && added.length === 0) throw failure.reason;
  const known = [...exports, ...added];
  if (wanted - known.filter(isLost).length < minClipsOf(count)) return failed('PROVIDER_ERROR');
  return cutting(0, wanted, { ...reference, folder, exports: known });
}

async function checkTask(ask: AskApi, reference: KlapReference): Promise<Check> {
  const response = await ask(`/tasks/${reference.task}`);
  if (response.status === 404) return { status: 'lost' };
  const task = parsed(KlapTask, 'a status request', response);
  if (task?.status === 'processing') return begun;
  if (task?.status !== 'ready' || !task.output_id) return failed('PROVIDER_ERROR');
  const clips = await clipsIn(ask, task.output_id);
  if (!clips) return failed('PROVIDER_ERROR');
  // If Klap found too few clips, the task fails and nothing is exported, although Klap has analyzed the video.
  if (clips.length < minClipsOf(reference.count)) return tooFewClips(reference.count);
  return beginExports(ask, reference, task.output_id, clips);
}

/** The state of a clip's export: its file, in progress, or lost. */
type Exported = { readonly url: string; readonly clip: EngineClip } | 'processing' | 'lost';

async function exportedClip(ask: AskApi, folder: string, { project, id }: KlapExport, clip: EngineClip) {
  if (id === undefined) return 'lost';
  const response = await ask(`${exportsPath(folder, project)}/${id}`);
  const state = parsed(KlapExportState, 'a request for an export', response);
  if (state?.status === 'processing') return state.status;
  return state?.status === 'ready' && state.src_url ? { url: state.src_url, clip } : 'lost';
}

/** The states of the exports, read in order and a few at a time, up to the first that are in progress. */
async function exportedClips(ask: AskApi, folder: string, exports: readonly KlapExport[], clips: readonly KlapClip[]) {
  const begunClips = clips.flatMap(({ project, clip }) => {
    const found = exports.find((one) => one.project === project);
    return found ? [{ found, clip }] : [];
  });
  const exported: Exported[] = [];
  for (let first = 0; first < begunClips.length; first += simultaneousExports) {
    const group = begunClips.slice(first, first + simultaneousExports);
    exported.push(...(await Promise.all(group.map(({ found, clip }) => exportedClip(ask, folder, found, clip)))));
    if (exported.includes('processing')) break;
  }
  return exported;
}

async function checkExports(ask: AskApi, reference: KlapReference, folder: string): Promise<Check> {
  const { count, exports = [] } = reference;
  const clips = await clipsIn(ask, folder);
  if (!clips) return failed('PROVIDER_ERROR');
  const wanted = exportCount(clips, reference);
  if (exports.length < wanted) return beginExports(ask, reference, folder, clips);
  const exported = await exportedClips(ask, folder, exports, clips);
  const lost = exported.filter((one) => one === 'lost').length;
  if (wanted - lost < minClipsOf(count)) return failed('PROVIDER_ERROR');
  const ready = exported.filter((one) => typeof one === 'object');
  if (ready.length + lost < wanted) return cutting(ready.length, wanted);
  return { status: 'done', outputs: ready.map((one) => ({ ...one, contentType: 'video/mp4' })) };
}

/** Creates the engine. Errors contain a status, never text of users or of Klap. */
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
