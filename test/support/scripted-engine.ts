/** An engine with the offline engine's protocol whose behavior a test controls. */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { generationOf } from '../../shared/contracts/generate.ts';
import { resultCountOf } from '../../shared/contracts/generation-contract.ts';
import type { MediaKind } from '../../shared/contracts/media.ts';
import type { TaskType } from '../../shared/contracts/task-types.ts';
import { type Clock, systemClock } from '../../shared/platform/clock.ts';
import { localServer } from './local-server.ts';
import { promisedVideo } from './promised-videos.ts';
import { tinyJpeg, tinyPng } from './tiny-image.ts';
import { tinyMp3, tinyWav } from './tiny-sound.ts';
import { tinyMp4 } from './tiny-video.ts';

export interface ScriptedJob {
  /** The id of the task. */
  readonly id: string;
  readonly reference: string;
  readonly callbackUrl?: string;
  /** The type of the task. */
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  submissions: number;
  checks: number;
  canceled: boolean;
}

export interface ScriptedResponse {
  readonly status: number;
  readonly body: unknown;
}

/** The engine's responses; by default, it accepts every job and never reports that one has ended. */
export interface Script {
  readonly submit?: (job: ScriptedJob) => ScriptedResponse | Promise<ScriptedResponse>;
  readonly check?: (job: ScriptedJob) => ScriptedResponse | Promise<ScriptedResponse>;
  /** Each download of a result waits for this first. */
  readonly serve?: () => Promise<void>;
}

export interface ScriptedEngine {
  readonly url: string;
  /** A public image to use as input. */
  readonly imageUrl: string;
  /**
   * A public file of each kind to use as input, within every model's limits; the video has a duration of three seconds.
   */
  readonly inputUrls: Readonly<Record<MediaKind, string>>;
  readonly jobs: ReadonlyMap<string, ScriptedJob>;
  play(script: Script): void;
  /** Resolves once the engine has received the task. */
  jobOf(taskId: string): Promise<ScriptedJob>;
  report(job: ScriptedJob, status: string, more?: object): object;
  /** Results with the promised duration, or longer by this many seconds. */
  done(job: ScriptedJob, moreSeconds?: number): object;
  callBack(job: ScriptedJob, report: object, signature?: string): Promise<number>;
  close(): Promise<void>;
}

/** Files with valid headers; tests of the workflow do not use their content. */
const files: Readonly<Record<string, { readonly contentType: string; readonly bytes: Buffer }>> = {
  mp4: { contentType: 'video/mp4', bytes: await tinyMp4(1) },
  wav: { contentType: 'audio/wav', bytes: tinyWav(1) },
  mp3: { contentType: 'audio/mpeg', bytes: tinyMp3(1) },
  png: { contentType: 'image/png', bytes: tinyPng(12, 9) },
  jpg: { contentType: 'image/jpeg', bytes: tinyJpeg },
};

const factsOf = {
  image: { extension: 'png', contentType: 'image/png' },
  audio: { extension: 'mp3', contentType: 'audio/mpeg', durationSec: 1 },
  video: { extension: 'mp4', contentType: 'video/mp4' },
} as const;

/** The URL of a video says which of the videos it is. */
const videoQuery = (operation: string, input: ScriptedJob['input'], moreSeconds: number): string => {
  const { width, height, durationSec } = promisedVideo(operation, input);
  return `?width=${width}&height=${height}&durationSec=${durationSec + moreSeconds}`;
};

/** Usually a second of audio, whatever the request says. */
const soundQuery = ({ durationSec }: ScriptedJob['input'], moreSeconds: number): string =>
  moreSeconds > 0 ? `?durationSec=${Number(durationSec ?? 1) + moreSeconds}` : '';

const videos = new Map<string, Promise<Buffer>>();

/** The same bytes for the same arguments, because a container contains its creation time. */
function videoOf(seconds: number, width: number, height: number): Promise<Buffer> {
  const name = `${width}x${height} ${seconds}`;
  const made = videos.get(name) ?? tinyMp4(seconds, { width, height });
  videos.set(name, made);
  return made;
}

async function fileAt(url: string) {
  const { pathname, searchParams } = new URL(url, 'http://engine');
  const file = files[pathname.split('.').at(-1) ?? ''];
  const [width, height, seconds] = ['width', 'height', 'durationSec'].map((name) => Number(searchParams.get(name)));
  if (file?.contentType === 'audio/mpeg' && seconds) return { ...file, bytes: tinyMp3(seconds) };
  if (!file || !width || !height) return file;
  const bytes = seconds ? await videoOf(seconds, width, height) : tinyPng(width, height, { width: 1, height: 1 });
  return { ...file, bytes };
}

/** The requested number of results, of the operation's kind. */
function outputsOf({ operation, input, reference }: ScriptedJob, url: string, moreSeconds: number): object[] {
  const { medium, ...rules } = generationOf(operation as TaskType);
  const { extension, ...facts } = factsOf[medium];
  const queries = {
    image: () => '',
    audio: () => soundQuery(input, moreSeconds),
    video: () => videoQuery(operation, input, moreSeconds),
  };
  const query = queries[medium]();
  return Array.from({ length: resultCountOf(rules, input) }, (_, index) => ({
    url: `${url}/v1/files/${reference}-${index + 1}.${extension}${query}`,
    ...facts,
  }));
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = Buffer.concat(await Array.fromAsync(request)).toString();
  return text ? (JSON.parse(text) as Record<string, unknown>) : {};
}

/** The clock must agree with the service's: old reports are rejected. */
export async function scriptedEngine(key: string, clock: Clock = systemClock): Promise<ScriptedEngine> {
  const jobs = new Map<string, ScriptedJob>();
  const waiting = new Map<string, ((job: ScriptedJob) => void)[]>();
  let script: Script = {};

  const report = (job: ScriptedJob, status: string, more: object = {}) => ({
    reference: job.reference,
    status,
    progress: 0,
    ...more,
  });

  async function submit(request: IncomingMessage): Promise<ScriptedResponse> {
    const { id, operation, input, callbackUrl } = (await bodyOf(request)) as unknown as ScriptedJob;
    const job = jobs.get(id) ?? {
      id,
      reference: `job-${id}`,
      operation,
      input,
      ...(callbackUrl && { callbackUrl }),
      submissions: 0,
      checks: 0,
      canceled: false,
    };
    job.submissions += 1;
    jobs.set(id, job);
    const response = (await script.submit?.(job)) ?? { status: 202, body: report(job, 'queued') };
    for (const resolve of waiting.get(id) ?? []) resolve(job);
    waiting.delete(id);
    return response;
  }

  async function respond(request: IncomingMessage): Promise<ScriptedResponse> {
    if (request.method === 'POST' && request.url === '/v1/jobs') return submit(request);
    const [, , , reference = '', action] = (request.url ?? '').split('/');
    const job = jobs.get(reference.slice('job-'.length));
    if (!job) return { status: 404, body: {} };
    if (action === 'cancel') {
      job.canceled = true;
      return { status: 200, body: report(job, 'canceled') };
    }
    job.checks += 1;
    return (await script.check?.(job)) ?? { status: 200, body: report(job, 'running', { progress: 10 }) };
  }

  const server = await localServer(async (request, response) => {
    const file = await fileAt(request.url ?? '');
    if (file) {
      await script.serve?.();
      response.writeHead(200, { 'content-type': file.contentType });
      response.end(file.bytes);
      return;
    }
    const { status, body } = await respond(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { url } = server;

  return {
    url,
    imageUrl: `${url}/image.png`,
    inputUrls: {
      image: `${url}/image.png?width=450&height=800`,
      audio: `${url}/sound.wav`,
      video: `${url}/video.mp4?width=720&height=1280&durationSec=3`,
    },
    jobs,
    play(next) {
      script = next;
    },
    jobOf(taskId) {
      const known = jobs.get(taskId);
      if (known) return Promise.resolve(known);
      return new Promise((resolve) => waiting.set(taskId, [...(waiting.get(taskId) ?? []), resolve]));
    },
    report,
    done: (job, moreSeconds = 0) =>
      report(job, 'done', {
        progress: 100,
        outputs: outputsOf(job, url, moreSeconds),
      }),
    async callBack(job, body, signature) {
      const text = JSON.stringify(body);
      const seconds = String(Math.floor(clock.now() / 1000));
      const signed = signature ?? createHmac('sha256', key).update(`${seconds}.${text}`).digest('hex');
      const headers = {
        'content-type': 'application/json',
        'x-engine-timestamp': seconds,
        'x-engine-signature': signed,
      };
      if (!job.callbackUrl) throw new Error('the job has no callback URL');
      const response = await fetch(job.callbackUrl, { method: 'POST', headers, body: text });
      await response.body?.cancel();
      return response.status;
    },
    close: () => server.close(),
  };
}
