/**
 * A local fake of Vizard, version 1 of its API, following its reference: a project is created for a video and polled
 * until its clips are done. It downloads nothing: clips are plain videos of the requested ratio.
 *
 * Assumed, because it is undocumented: that errors have the HTTP status 200, and the order in which errors are checked.
 */
import * as z from 'zod';
import { videoFrame } from '../../shared/contracts/video-frame.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import { html, type Reply } from '../api-server.ts';
import { type JsonRequest, type JsonService, startJsonService } from '../json-service.ts';
import { plainVideo } from '../plain-media.ts';

/** Documented error codes. */
const faults = {
  'invalid-key': 4001,
  'operation-failed': 4002,
  'rate-limit': 4003,
  'unsupported-format': 4004,
  'broken-file': 4005,
  'illegal-parameter': 4006,
  'no-minutes': 4007,
  'not-downloadable': 4008,
  'invalid-url': 4009,
  'unknown-language': 4010,
} as const;

export type VizardFault = keyof typeof faults;

/**
 * The outcome of a submission: an error at once or (with `late-`) when the project is polled; `fewer`, `too-few` and
 * `more` change the number of clips, `small` their size, `odd` gives invalid scores; `no-file` affects one of the
 * clips; `gone` is an unknown project.
 */
export type VizardOutcome =
  | 'done'
  | 'fewer'
  | 'too-few'
  | 'more'
  | 'small'
  | 'odd'
  | 'gone'
  | 'no-file'
  | 'page'
  | 'unavailable'
  | VizardFault
  | `late-${VizardFault}`;

export interface VizardBehavior {
  /** One outcome per submission; once these are used up, submissions have the outcome `last`. */
  next: VizardOutcome[];
  last: VizardOutcome;
  /** How many polls report a project as in progress. */
  polls: number;
}

export interface VizardFakeOptions {
  readonly key: string;
  readonly clock: Clock;
  /** The behavior, which tests may change at any time. */
  readonly behavior?: VizardBehavior;
  /** The duration of each clip. Default: 15. */
  readonly clipSeconds?: number;
  /** The rate limits of submissions. Default: 3 per minute and 20 per hour. */
  readonly limits?: { readonly perMinute: number; readonly perHour: number };
}

const flag = z.literal([0, 1]).optional();

const Submission = z.object({
  lang: z.string().regex(/^(auto|[a-z]{2})$/),
  // Length code 0 (automatic) must not be combined with others.
  preferLength: z
    .array(z.int().min(0).max(4))
    .min(1)
    .refine((lengths) => lengths.length === 1 || !lengths.includes(0)),
  videoUrl: z.url(),
  videoType: z.int().min(1).max(12),
  ext: z.enum(['mp4', '3gp', 'avi', 'mov']).optional(),
  ratioOfClip: z.int().min(1).max(4).default(1),
  maxClipNumber: z.int().min(1).max(100).default(10),
  subtitleSwitch: flag,
  headlineSwitch: flag,
  emojiSwitch: flag,
  highlightSwitch: flag,
  autoBrollSwitch: flag,
  removeSilenceSwitch: flag,
});

interface Project {
  readonly id: number;
  readonly outcome: VizardOutcome;
  readonly request: z.output<typeof Submission>;
  polls: number;
}

const ratios = { 1: '9:16', 2: '1:1', 3: '4:5', 4: '16:9' } as const;

const fault = (name: VizardFault): Reply => ({
  status: 200,
  body: { code: faults[name], errMsg: `failed: ${name}` },
});

const isFault = (outcome: string): outcome is VizardFault => Object.hasOwn(faults, outcome);

const firstProjectId = 17_861_706;

/** Scores from 0 to 10 as text, not sorted by clip. */
const scoreOf = (at: number, count: number): string => ((10 * (count - ((at * 7 + 1) % count))) / count).toFixed(1);

function clipsReply({ id, outcome, request }: Project, url: string, clipSeconds: number): Reply {
  const asked = request.maxClipNumber;
  const count = outcome === 'too-few' ? 2 : asked + (outcome === 'more' ? 2 : outcome === 'fewer' ? -1 : 0);
  const videos = Array.from({ length: count }, (_, at) => ({
    videoId: id * 100 + at,
    videoUrl: `${url}/files/${outcome === 'no-file' && at === 0 ? 'none' : `${id}-${at + 1}`}.mp4`,
    videoMsDuration: clipSeconds * 1000,
    title: ` Corte\n${at + 1} `,
    transcript: 'Olá.',
    viralScore: outcome === 'odd' ? 'high' : scoreOf(at, count),
    viralReason: 'A clear statement.',
    relatedTopic: '[]',
    clipEditorUrl: `https://vizard.ai/editor?id=${id}&type=clip`,
  }));
  return { status: 200, body: { code: 2000, projectId: id, projectName: 'Untitled', videos } };
}

function vizardProjects({ behavior, clock, limits, clipSeconds }: Required<VizardFakeOptions>) {
  const projects = new Map<string, Project>();
  let submittedAt: number[] = [];

  function isOverLimit(): boolean {
    const now = clock.now();
    submittedAt = submittedAt.filter((at) => at > now - 3_600_000);
    const lately = submittedAt.filter((at) => at > now - 60_000);
    if (lately.length >= limits.perMinute || submittedAt.length >= limits.perHour) return true;
    submittedAt.push(now);
    return false;
  }

  function create(body: unknown): Reply {
    const { data } = Submission.safeParse(body);
    if (!data || (data.videoType === 1 && !data.ext)) return fault('illegal-parameter');
    if (isOverLimit()) return fault('rate-limit');
    const outcome = behavior.next.shift() ?? behavior.last;
    if (outcome === 'page') return html(200);
    if (outcome === 'unavailable') return { status: 503, body: { message: 'Service Unavailable' } };
    if (isFault(outcome)) return fault(outcome);
    const id = firstProjectId + projects.size;
    projects.set(String(id), { id, outcome, request: data, polls: behavior.polls });
    return { status: 200, body: { code: 2000, projectId: id, shareLink: null, errMsg: '' } };
  }

  return {
    named: (id: string) => projects.get(id),
    replyTo({ method, path, body }: JsonRequest, url: string): Reply {
      if (method === 'POST' && path === '/project/create') return create(body);
      const project = projects.get(/^\/project\/query\/(\d+)$/.exec(path)?.[1] ?? '');
      if (!project || project.outcome === 'gone') return { status: 404, body: { message: 'Not Found' } };
      project.polls -= 1;
      if (project.polls >= 0) return { status: 200, body: { code: 1000, videos: [], projectId: project.id } };
      const late = project.outcome.replace('late-', '');
      return isFault(late) ? fault(late) : clipsReply(project, url, clipSeconds);
    },
  };
}

export async function startVizardFake(options: VizardFakeOptions): Promise<JsonService> {
  const {
    clipSeconds = 15,
    behavior = { next: [], last: 'done', polls: 1 },
    limits = { perMinute: 3, perHour: 20 },
  } = options;
  const projects = vizardProjects({ ...options, clipSeconds, behavior, limits });
  const service: JsonService = await startJsonService({
    reply: (request) =>
      request.headers.vizardai_api_key === options.key ? projects.replyTo(request, service.url) : fault('invalid-key'),
    async fileNamed(name) {
      const project = projects.named(name.split('-')[0] ?? '');
      if (!project) return undefined;
      const resolution = project.outcome === 'small' ? '480p' : '720p';
      const frame = videoFrame(resolution, ratios[project.request.ratioOfClip as keyof typeof ratios]);
      return plainVideo({ ...frame, seconds: clipSeconds, hasSound: true });
    },
  });
  return service;
}
