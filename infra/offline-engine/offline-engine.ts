/**
 * The offline engine: a small media provider that makes real files without keys. It runs beside the local service and
 * speaks HTTP like any other provider; shared/engines/offline is the service's adapter to it.
 *
 * Every request carries `Authorization: Bearer <engine key>` (else 401). Bodies are JSON.
 *
 * - `POST /v1/jobs` `{ id, operation, input, callbackUrl? }` → 202 and the job. The same id again is the same job.
 *   422 `{ error: { code, message } }`: `INPUT_INVALID` for an unknown operation or a wrong input, `CONTENT_REJECTED`
 *   for content that is rejected.
 * - `GET /v1/jobs/:reference` → 200 and the job; 404 when it is not, or no longer, known.
 * - `POST /v1/jobs/:reference/cancel` → 200 and the job; it stops as soon as it can, and no callback follows.
 * - `GET /v1/files/:name` → the file, stored for a day.
 *
 * A job is `{ reference, status: queued|running|done|failed|canceled, progress: 0..100, outputs?: [{ url, contentType,
 * width?, height?, durationSec? }], error?: { code, message } }`; error codes are `PROVIDER_ERROR`, `PROVIDER_TIMEOUT`,
 * `DOWNLOAD_FAILED` (a file of the input could not be fetched) and `INPUT_INVALID` (it is not what the operation takes).
 *
 * Callbacks: the job is posted to its callbackUrl when it begins to run, on progress (at most one in 500 ms) and at its
 * end, with `X-Engine-Timestamp: <unix seconds>` and `X-Engine-Signature: <hex HMAC-SHA256(key, timestamp + "." +
 * body)>`. One is sent at a time, the terminal one last; redirects are not followed. What gets no 2xx response
 * within 10 s is sent again, as the job then is, after 1, 2, 4 and 8 s; then the job must be polled.
 *
 * `voice` takes `{ text, voice?, voiceId?, stability, similarityBoost }` and makes an MP3.
 *
 * Images are given as addresses (https, or http of this machine; no redirects; within 20 s; at most 10 MiB): JPEG, PNG or
 * WebP, no side over 16,384 pixels, at most 50 megapixels. They are turned upright and to sRGB. Results are PNG unless
 * stated otherwise; each has metadata that name the engine, and what is drawn or composed has a visible label.
 * - `skin-enhance` `{ imageUrl, textureLevel, poresDetail, lightingFix }`: changes skin alone, and all channels of a pixel
 *   alike. Skin is what has the tone of a person's face, on people; without a face any skin tone on people; without
 *   people a narrow range of tones anywhere. At 0, 0 and false nothing changes.
 * - `image` `{ prompt, negativePrompt?, aspectRatio, numImages, seed? }`: procedural art of about a megapixel with the
 *   prompt as its caption, one file for each; the same seed makes the same, none makes something new.
 * - `image-edit` `{ imageUrl, prompt, referenceImages?, maskUrl? }`: the adjustments that the prompt names (see
 *   image/adjustments.ts), else a colour grade; only where the mask is white. A label that says what was done (or that the
 *   prompt was not understood) and small copies of the references stand inside what is edited, as far as there is room.
 * - `character-replace` `{ imageUrl, characterImage, prompt? }`: the person of the second image where the first one's
 *   was, or in its lower middle.
 * - `background-remove` `{ imageUrl, format: png|webp, background: transparent|#rrggbb }`: keeps people; where none
 *   are surely found, what differs from the borders. "No subject" is `INPUT_INVALID`.
 * - `image-upscale` `{ imageUrl, scale: 2|4 }`: doubles once or twice, what has at most 3 megapixels by a neural network
 *   and what has more by bicubic resampling, then sharpens. Over 64 megapixels of output are `INPUT_INVALID`. A JPEG
 *   becomes a JPEG.
 * - `influencer` `{ name, description, gender, ageRange?, referenceImages?, aspectRatio }`: a drawn persona with the
 *   looks that the description names; the same for the same name and description.
 *
 * Failures, for tests and demonstrations: `refuse` (422 on submission), `fail` (every job fails), `hang` (every
 * job runs forever without callbacks), `lose-callback` (works, but never calls back). They apply to every job, or to the one whose
 * input says so anywhere in its texts: `[offline:fail]`; `[offline:none]` spares a job.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { systemClock } from '../../shared/platform/clock.ts';
import { randomIds } from '../../shared/platform/ids.ts';
import { callbackSender } from './callback-sender.ts';
import { engineHttp } from './engine-http.ts';
import { type Job, jobReport } from './job.ts';
import { jobList } from './job-list.ts';
import { jobQueue } from './job-queue.ts';
import type { OfflineEngineFailure } from './offline-engine-settings.ts';
import { performJob } from './perform-job.ts';
import { removeFilesOlderThan } from './stored-files.ts';

export interface OfflineEngineOptions {
  /** Absent or 0: any free one. Always on 127.0.0.1. */
  readonly port?: number;
  readonly key: string;
  /** Created if need be. */
  readonly filesDir: string;
  /** What each job takes at least, beside its work. */
  readonly latencyMs: number;
  readonly failure: OfflineEngineFailure;
}

export interface OfflineEngine {
  /** The base address, without a slash at its end. */
  readonly url: string;
  /** Stops every job and child process and ends all connections. */
  close(): Promise<void>;
}

const workers = 2;
const keptMs = 24 * 3_600_000;
const tidyingMs = 3_600_000;
const keepAliveMs = 600_000;

/** Rejects when the port is taken or the folder cannot be written. */
export const startOfflineEngine = async (options: OfflineEngineOptions): Promise<OfflineEngine> => {
  const { port = 0, key, failure } = options;
  if (key === '') throw new Error('The offline engine needs a key.');
  const filesDir = resolve(options.filesDir);
  await removeFilesOlderThan(filesDir, systemClock.now() - keptMs);

  const ids = randomIds(systemClock);
  let url = '';
  const report = (job: Job) => jobReport(job, url);
  const callbacks = callbackSender({ key, clock: systemClock, report });
  const jobs = jobList();
  const queue = jobQueue({
    clock: systemClock,
    slots: workers,
    perform: (job, progress) => performJob(job, { ...options, filesDir }, progress),
    started: (job) => {
      if (job.failure !== 'hang' && job.failure !== 'lose-callback') callbacks.follow(job);
    },
  });
  const server = createServer(engineHttp({ key, filesDir, failure, ids, jobs, queue, report }));
  // Longer than clients keep a connection: one that is closed while a request is on its way would fail it.
  server.keepAliveTimeout = keepAliveMs;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const tidy = async () => {
    const dayAgo = systemClock.now() - keptMs;
    jobs.forgetEndedBefore(dayAgo);
    await removeFilesOlderThan(filesDir, dayAgo);
  };
  const tidying = setInterval(() => {
    tidy().catch((error: unknown) => console.error('The offline engine could not remove old files:', error));
  }, tidyingMs).unref();

  return {
    url,
    async close() {
      clearInterval(tidying);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const job of jobs.all()) queue.cancel(job);
      await Promise.all([queue.idle(), callbacks.close(), closed]);
    },
  };
};
