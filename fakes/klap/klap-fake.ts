/**
 * A local fake of Klap, version 2 of its API, following its reference: a task results in a folder of projects, and each
 * project must be exported to a file. Clips are plain videos of the requested size, whatever the
 * video is.
 *
 * Assumed, because it is undocumented: the statuses and bodies of errors.
 */
import * as z from 'zod';
import { systemClock, timestamp } from '../../shared/platform/clock.ts';
import { html, type Reply } from '../api-server.ts';
import { type JsonRequest, type JsonService, startJsonService } from '../json-service.ts';
import { plainVideo } from '../plain-media.ts';

/** Responses that reject a submission. */
const rejections = {
  busy: { status: 429, body: { message: 'Too Many Requests' } },
  unavailable: { status: 503, body: { message: 'Service Unavailable' } },
  'no-credits': { status: 402, body: { message: 'Insufficient credits' } },
  invalid: { status: 422, body: { message: 'source_video_url is not supported' } },
  forbidden: { status: 404, body: { message: 'Not Found' } },
  page: html(200),
} as const satisfies Readonly<Record<string, Reply>>;

/**
 * The outcome of a task: `fewer`, `too-few` and `more` change the number of clips; `percent` gives scores up to 100,
 * `no-scores` none; `gone` means that the task is unknown at the first poll; `export-busy` rejects every other export
 * at first. `export-invalid`, `export-error` and `no-file` affect one of the clips.
 */
export type KlapOutcome =
  | 'done'
  | 'error'
  | 'fewer'
  | 'too-few'
  | 'more'
  | 'percent'
  | 'no-scores'
  | 'gone'
  | 'nowhere'
  | 'export-busy'
  | 'export-invalid'
  | 'export-error'
  | 'export-gone'
  | 'no-file'
  | keyof typeof rejections;

export interface KlapBehavior {
  /** One outcome per submission; once these are used up, submissions have the outcome `last`. */
  next: KlapOutcome[];
  last: KlapOutcome;
  /** How many polls report a task or export as processing. */
  polls: number;
}

export interface KlapFakeOptions {
  readonly key: string;
  /** The behavior, which tests may change at any time. */
  readonly behavior?: KlapBehavior;
  /** The duration of each clip. Default: 15. */
  readonly clipSeconds?: number;
  /** Downloads the video of a task, as Klap does. */
  readonly download?: (sourceUrl: string) => Promise<void>;
}

const side = z.int().min(64).max(4096);

const Submission = z.object({
  source_video_url: z.url(),
  target_clip_count: z.int().min(1).max(100).default(10),
  max_clip_count: z.int().min(1).max(100).default(10),
  min_duration: z.int().min(1).max(120).default(1),
  max_duration: z.int().min(1).max(180).default(180),
  target_duration: z.int().min(1).max(120).default(60),
  dimensions: z.object({ width: side, height: side }).default({ width: 1080, height: 1920 }),
  editing_options: z.record(z.string(), z.boolean()).default({}),
});

interface KlapTask {
  readonly id: string;
  readonly outcome: KlapOutcome;
  readonly request: z.output<typeof Submission>;
  readonly projects: readonly { readonly id: string; readonly score: number | null }[];
  readonly exports: Map<string, { readonly project: string; polls: number }>;
  readonly polls: number;
  /** Counts how often the status was requested. */
  asked: number;
  rejectedExports: number;
}

const notFound: Reply = { status: 404, body: { message: 'Not Found' } };
const createdAt = (): string => timestamp(systemClock.now());

const countFor = (outcome: KlapOutcome, asked: number): number =>
  outcome === 'too-few' ? 2 : asked + (outcome === 'more' ? 3 : outcome === 'fewer' ? -1 : 0);

/** The projects of a folder, not sorted by score. */
function projectsFor(outcome: KlapOutcome, count: number, taskNumber: number): KlapTask['projects'] {
  const scale = outcome === 'percent' ? 100 : 1;
  return Array.from({ length: count }, (_, at) => ({
    id: `project_${taskNumber}_${at + 1}`,
    score: outcome === 'no-scores' ? null : scale * (((at * 7 + 3) % count) / count),
  }));
}

const taskReply = ({ id, polls, outcome, asked }: KlapTask): Reply => {
  const status = asked <= polls ? 'processing' : outcome === 'error' ? 'error' : 'ready';
  const output = status === 'ready' && outcome !== 'nowhere' ? `folder_${id}` : null;
  const type = 'video-to-shorts';
  return { status: 200, body: { id, type, status, created_at: createdAt(), output_type: 'folder', output_id: output } };
};

const projectsReply = ({ id, projects }: KlapTask): Reply => ({
  status: 200,
  body: projects.map((project, at) => ({
    id: project.id,
    author_id: 'user_1',
    folder_id: `folder_${id}`,
    name: ` Corte\n${at + 1} `,
    created_at: createdAt(),
    virality_score: project.score,
    virality_score_explanation: 'High engagement predicted.',
  })),
});

function exportReply(task: KlapTask, id: string, url: string): Reply {
  const found = task.exports.get(id);
  if (!found || task.outcome === 'export-gone') return notFound;
  const isLast = found.project === task.projects.at(-1)?.id;
  const end = task.outcome === 'export-error' && isLast ? 'error' : 'ready';
  const status = found.polls > 0 ? 'processing' : end;
  found.polls -= 1;
  const file = task.outcome === 'no-file' && isLast ? 'none' : `${task.id}-${id}`;
  const src_url = status === 'ready' ? `${url}/files/${file}.mp4` : null;
  return { status: 200, body: { id, status, src_url, project_id: found.project, created_at: createdAt() } };
}

function beginExport(task: KlapTask, project: string, polls: number): Reply {
  if (!task.projects.some(({ id }) => id === project)) return notFound;
  if (task.outcome === 'export-busy' && task.rejectedExports <= task.exports.size) {
    task.rejectedExports += 1;
    return rejections.busy;
  }
  if (task.outcome === 'export-invalid' && project === task.projects.at(-1)?.id) return notFound;
  const id = `export_${task.exports.size + 1}`;
  task.exports.set(id, { project, polls });
  return { status: 200, body: { id, status: 'processing', src_url: null, project_id: project } };
}

function klapTasks(behavior: KlapBehavior, download: NonNullable<KlapFakeOptions['download']>) {
  const tasks = new Map<string, KlapTask>();

  async function submit(body: unknown): Promise<Reply> {
    const { data, error } = Submission.safeParse(body);
    if (!data) return { status: 422, body: { message: error.message } };
    await download(data.source_video_url);
    const outcome = behavior.next.shift() ?? behavior.last;
    if (outcome in rejections) return rejections[outcome as keyof typeof rejections];
    const number = tasks.size + 1;
    const projects = projectsFor(outcome, countFor(outcome, data.target_clip_count), number);
    const { polls } = behavior;
    const state = { exports: new Map(), polls, rejectedExports: 0, asked: 0 };
    const task = { id: `task_${number}`, outcome, request: data, projects, ...state };
    tasks.set(task.id, task);
    return taskReply(task);
  }

  return {
    named: (id: string) => tasks.get(id),
    replyTo({ method, path, body }: JsonRequest, url: string): Reply | Promise<Reply> {
      const [, first = '', second = '', third, fourth, fifth] = path.split('/');
      if (method === 'POST' && path === '/tasks/video-to-shorts') return submit(body);
      const task = tasks.get(first === 'projects' ? second.replace('folder_', '') : second);
      if (!task || task.outcome === 'gone') return notFound;
      if (first === 'tasks') {
        task.asked += 1;
        return taskReply(task);
      }
      if (third === undefined) return projectsReply(task);
      if (fourth !== 'exports') return notFound;
      return method === 'POST' ? beginExport(task, third, behavior.polls) : exportReply(task, fifth ?? '', url);
    },
  };
}

export async function startKlapFake(options: KlapFakeOptions): Promise<JsonService> {
  const { key, clipSeconds = 15, behavior = { next: [], last: 'done', polls: 1 } } = options;
  const tasks = klapTasks(behavior, options.download ?? (async () => undefined));
  const service: JsonService = await startJsonService({
    reply: (request) =>
      request.headers.authorization === `Bearer ${key}`
        ? tasks.replyTo(request, service.url)
        : { status: 401, body: { message: 'Unauthorized' } },
    async fileNamed(name) {
      const task = tasks.named(name.split('-')[0] ?? '');
      return task && plainVideo({ ...task.request.dimensions, seconds: clipSeconds, hasSound: true });
    },
  });
  return service;
}
