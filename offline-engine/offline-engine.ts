/**
 * The offline engine: a small media provider that generates real files without keys. It runs beside the local service
 * and speaks HTTP like any other provider; shared/engines/offline is the service's adapter to it.
 *
 * Every request needs `Authorization: Bearer <engine key>` (otherwise 401). Bodies are JSON.
 *
 * - `POST /v1/jobs` `{ id, group?, operation, input, callbackUrl? }` → 202 and the job. A repeated id returns the same job;
 *   jobs of one group take at most half of the places to download. 422
 *   `{ error: { code, message } }`: `INPUT_INVALID` for an unknown operation or an invalid input, `CONTENT_REJECTED`
 *   for rejected content.
 * - `GET /v1/jobs/:reference` → 200 and the job; 404 if it is unknown or has been removed.
 * - `POST /v1/jobs/:reference/cancel` → 200 and the job; it stops as soon as it can, and no callback follows.
 * - `GET /v1/files/:name` → the file, stored for a day.
 *
 * A job is `{ reference, status: queued|running|done|failed|canceled, progress: 0..100, outputs?: [{ url, contentType,
 * width?, height?, durationSec?, clip? }], error?: { code, message, problem? } }`; error codes are `PROVIDER_ERROR`,
 * `PROVIDER_TIMEOUT`, `DOWNLOAD_FAILED` (an input file could not be downloaded) and `INPUT_INVALID` (the operation does not accept it).
 * `problem` is `{ field, reason }` of a file that cannot be used: see work-failure.ts.
 *
 * Callbacks: the job is posted to its callbackUrl when it begins to run, on progress (at most one in 500 ms) and at its
 * end, with `X-Engine-Timestamp: <unix seconds>` and `X-Engine-Signature: <hex HMAC-SHA256(key, timestamp + "." +
 * body)>`. One is sent at a time, the terminal one last; redirects are not followed. A callback without a 2xx response
 * within 10 s is retried with the job's current state after 1, 2, 4 and 8 s; after that the job must be polled.
 *
 * `voice` takes `{ text, voice?, voiceId?, stability, similarityBoost }` and generates an MP3.
 *
 * Images are passed as URLs (https, or http of this machine; no redirects; within 20 s; at most 10 MiB): JPEG, PNG or
 * WebP, no side over 16,384 pixels, at most 50 megapixels. They are rotated upright and converted to sRGB. Results are
 * PNG unless stated otherwise; their metadata name the engine, and drawn or composed images have a visible label.
 * - `skin-enhance` `{ imageUrl, textureLevel, poresDetail, lightingFix }`: changes only skin, and all channels of a
 *   pixel equally. Skin has a skin tone on a face, except its eyes and mouth; in an image without a face, a narrower
 *   range of tones anywhere. At 0, 0 and false nothing changes.
 * - `image` `{ prompt, negativePrompt?, aspectRatio, numImages, seed? }`: a drawing of about a megapixel of the place
 *   that the prompt names, or abstract art, with the prompt as its caption, one file for each image; the same seed gives
 *   the same images, no seed gives new ones.
 * - `image-edit` `{ imageUrl, prompt, referenceImages?, maskUrl? }`: the adjustments that the prompt names (see
 *   image/adjustments.ts), otherwise a color grade; only where the mask is white. A label that describes the edit (or
 *   says that the prompt was not understood) and thumbnails of the references are placed in the edited area if there is
 *   room.
 * - `character-replace` `{ imageUrl, characterImage, prompt? }`: places the person of the second image where the first
 *   one's was, or in the lower middle.
 * - `background-remove` `{ imageUrl, format: png|webp, background: transparent|#rrggbb }`: keeps people; if none are
 *   found with confidence, what differs from the borders. An image without a subject is `INPUT_INVALID`.
 * - `image-upscale` `{ imageUrl, scale: 2|4 }`: doubles once or twice, up to 3 megapixels with a neural network and
 *   above that with bicubic resampling, then sharpens. More than 64 megapixels of output are `INPUT_INVALID`. A JPEG
 *   becomes a JPEG.
 * - `influencer` `{ name, description, gender, ageRange?, referenceImages?, aspectRatio }`: a drawn persona with the
 *   described appearance; the same for the same name and description.
 *
 * Videos are MP4 with H.264 (30 frames per second, clips at most) and AAC (stereo, 48 kHz), playable while they are downloaded. Beside
 * `url`, an output has `posterUrl`: a JPEG of the first frame. Metadata and a visible label name the engine.
 * - `video-ugc` `{ template, combinedImages: [1–2], action, speech, voiceType, emotion, gender, language, accent,
 *   backgroundSound?, productDescription? }`: 8 s of 720 × 1280 pixels. The camera moves over the first image and then
 *   the last in the manner of the template; the line is spoken with captions in step. Emotion and accent change pitch,
 *   tempo and melody; `gender: auto` is a neutral voice. The background sound is synthesized from the words that it
 *   recognizes, otherwise a quiet room. `action` and `productDescription` have no effect.
 * - `video-imitate` `{ characterImage, motionVideo, model, quality: 720p|1080p }`: 720 × 1280 or 1080 × 1920 pixels. The
 *   character is cut out and moved before its own background (shift, size and angle) like the face in the video;
 *   without one, like the body; without people, like the middle of what changes. Duration and sound are the video's: an MP4, MOV,
 *   WebM or Matroska file of 3 to 30 s, at most 100 MiB and 4096 pixels per side, downloaded within 60 s.
 *
 * - `cortes` `{ videoUrl, aspectRatio, seconds, clipCount }`: so many clips of 720 pixels on the shorter side, best first,
 *   15 to 90 s each if the video has room for them, cut in pauses and at scene changes; the crop follows faces. `seconds` is
 *   what the client pays for: a longer video is `INPUT_INVALID`. The video is an MP4, MOV, WebM or Matroska file of at most
 *   5 GiB and 4096 pixels a side, downloaded from any public host with up to three redirects, within 20 minutes and, after
 *   the first 30 s, at no less than 64 KiB/s on average. Each output has
 *   `clip: { score, startTime, endTime }`; the poster is from half a second after the beginning, and there is no label.
 *   Only the frames count for the duration; where the video has no sound, the clips have silence.
 * - `voice-change` `{ audioUrl, voice or voiceId, stability, similarityBoost, removeNoise }`: an MP3 of the same duration.
 *   The median pitch and the formants are moved towards the voice's, and the melody is flattened by `stability`; the
 *   recording (MP3, WAV, M4A, Ogg, FLAC, WebM, Matroska, or a video with sound; at most 25 MiB and 300 s) keeps its timing and loudness.
 *
 * Failures for tests and demonstrations: `reject` (422 on submission), `fail` (every job fails), `hang` (every job runs
 * forever without callbacks), `lose-callback` (works, but never calls back). They apply to every job, or to one whose
 * input contains a word such as `[offline:fail]` in any of its texts; `[offline:none]` exempts a job.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { systemClock } from '../shared/platform/clock.ts';
import { randomIds } from '../shared/platform/ids.ts';
import { callbackSender } from './callback-sender.ts';
import { engineHttp } from './engine-http.ts';
import { type Job, jobReport } from './job.ts';
import { jobList } from './job-list.ts';
import { jobQueue } from './job-queue.ts';
import type { OfflineEngineFailure } from './offline-engine-settings.ts';
import { performJob } from './perform-job.ts';
import { removeAbandonedFolders, removeFilesOlderThan } from './stored-files.ts';

export interface OfflineEngineOptions {
  /** The port on 127.0.0.1; any free one if absent or 0. */
  readonly port?: number;
  readonly key: string;
  /** The folder of files, which is created if necessary. */
  readonly filesDir: string;
  /** The minimum duration of each job. */
  readonly latencyMs: number;
  readonly failure: OfflineEngineFailure;
  /** Receives a log line when an operation fails. */
  readonly onFailure?: (line: string) => void;
}

export interface OfflineEngine {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  /** Stops all jobs and child processes and closes all connections. */
  close(): Promise<void>;
}

const workers = 2;
const downloads = 8;
const keptMs = 24 * 3_600_000;
const tidyingMs = 3_600_000;
const keepAliveMs = 600_000;

/** Starts the engine. Rejects if the port is in use or the folder cannot be written. */
export const startOfflineEngine = async (options: OfflineEngineOptions): Promise<OfflineEngine> => {
  const { port = 0, key, failure } = options;
  if (key === '') throw new Error('The offline engine needs a key.');
  const filesDir = resolve(options.filesDir);
  await removeFilesOlderThan(filesDir, systemClock.now() - keptMs);
  await removeAbandonedFolders(filesDir);

  const ids = randomIds(systemClock);
  let url = '';
  const report = (job: Job) => jobReport(job, url);
  const callbacks = callbackSender({ key, clock: systemClock, report });
  const jobs = jobList();
  const queue = jobQueue({
    clock: systemClock,
    slots: workers,
    downloads,
    onFailure: options.onFailure,
    perform: (job, progress) => performJob(job, { ...options, filesDir }, progress),
    started: (job) => {
      if (job.failure !== 'hang' && job.failure !== 'lose-callback') callbacks.follow(job);
    },
  });
  const server = createServer(engineHttp({ key, filesDir, failure, ids, jobs, queue, report }));
  // The keep-alive timeout is longer than that of clients, because closing a connection while a request is being sent
  // would fail the request.
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
    tidy().catch((error: unknown) => console.error('The offline engine could not delete old files:', error));
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
