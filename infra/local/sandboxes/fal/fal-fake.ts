/**
 * A stand-in for fal.ai's queue on this machine: it keeps to the documented protocol, so that the adapter in
 * shared/engines/fal, and fal.ai's own client, can be tried without an account.
 *
 * - `POST /{endpoint}?fal_webhook=` takes the model's input and answers with the request's id and three addresses, which
 *   hold only the first two segments of the endpoint. What a model does not take is refused at the job's end, not here.
 * - `GET …/requests/{id}/status?logs=0|1` tells IN_QUEUE, IN_PROGRESS or COMPLETED; `GET …/requests/{id}` the result, or
 *   the fault with its status (400 before the end); `PUT …/requests/{id}/cancel` cancels.
 * - `GET /.well-known/jwks.json` has the public keys of the callbacks, `GET /files/{name}` what was made; both need no
 *   key, everything else `Authorization: Key {id}:{secret}`, else 401.
 * - The end is posted to `fal_webhook`, signed with Ed25519, and again when it is not answered with a 2xx.
 * - An account's requests run two at a time, the others wait.
 *
 * Made up, because nothing documents it: the HTTP statuses of status and cancellation, what asking for a result too early
 * is answered with, that a canceled request ends with `client_cancelled` and without a callback, and that an
 * `Idempotency-Key` is honoured (which can be switched off). There is no stream of statuses.
 *
 * A text of a job's input that holds a word such as `[fal:slow]` makes it misbehave: see fal-play.ts for the words.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Clock, systemClock } from '../../../../shared/platform/clock.ts';
import { randomIds } from '../../../../shared/platform/ids.ts';
import { listen } from '../../listen.ts';
import { callbackSender } from './callback-sender.ts';
import { type CallbackSigner, callbackSigner } from './callback-signer.ts';
import { falFakeJobs } from './fal-fake-jobs.ts';
import { type FalFakeRequest, falHttp } from './fal-http.ts';
import type { FalPlay } from './fal-play.ts';
import { falQueue } from './fal-queue.ts';
import { type MakeImages, makePlainImages } from './made-image.ts';
import { performFalJob, type ServedFiles } from './perform-fal-job.ts';

export interface FalFakeOptions {
  /** Absent or 0: any free one. Always on 127.0.0.1. */
  readonly port?: number;
  /** `id:secret` */
  readonly key: string;
  /** How each job is treated that wishes for nothing else; by default it takes a quarter of a second and succeeds. */
  readonly play?: Partial<FalPlay>;
  /** Makes the images; by default plain ones of the form and number asked for. */
  readonly make?: MakeImages;
  /** Default: 2. */
  readonly concurrency?: number;
  /** Between attempts at a callback. Default: 0.5, 1, 2 and 4 s. */
  readonly retryDelaysMs?: readonly number[];
  /** Default: true, which fal.ai does not promise. */
  readonly honoursIdempotencyKeys?: boolean;
  /** Of timestamps in callbacks. */
  readonly clock?: Clock;
}

export interface FalFake {
  /** The base address of the queue, without a slash at its end. */
  readonly queueUrl: string;
  readonly jwksUrl: string;
  /** The latest requests, oldest first. */
  readonly requests: readonly FalFakeRequest[];
  /** Signs callbacks that the fake does not send. */
  readonly signer: CallbackSigner;
  /** Stops every job and callback and ends all connections. */
  close(): Promise<void>;
}

/** Rejects when the port is taken. */
export const startFalFake = async (options: FalFakeOptions): Promise<FalFake> => {
  const { port = 0, key, play = {}, make = makePlainImages, concurrency = 2, clock = systemClock } = options;
  const { retryDelaysMs = [500, 1000, 2000, 4000], honoursIdempotencyKeys = true } = options;
  if (!/^[^\s:]+:[^\s:]+$/.test(key)) throw new Error('The key of the fal.ai fake must have the form id:secret.');
  const requests: FalFakeRequest[] = [];
  const files: ServedFiles = new Map();
  const ids = randomIds(clock);
  const newId = () => ids.next();
  let url = '';
  const queueUrl = () => url;
  const signer = callbackSigner(clock);
  const callbacks = callbackSender({ signer, newId, retryDelaysMs });
  const queue = falQueue({
    concurrency,
    work: (job, signal) => performFalJob(job, { make, files, filesUrl: `${url}/files`, signal }),
    ended: (job) => callbacks.tell(job),
  });
  const jobs = falFakeJobs({ play, honoursIdempotencyKeys, newId, queueUrl, queue });
  const server = createServer(falHttp({ key, jobs, files, signer, clock, queueUrl, requests }));
  url = `http://127.0.0.1:${await listen(server, port)}`;

  return {
    queueUrl: url,
    jwksUrl: `${url}/.well-known/jwks.json`,
    requests,
    signer,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([queue.close(), callbacks.close(), closed]);
    },
  };
};
