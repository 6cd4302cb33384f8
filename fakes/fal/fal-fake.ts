/**
 * A local fake of fal.ai's queue. It follows the documented protocol, so that the adapter in shared/engines/fal and
 * fal.ai's own client can be tested without an account.
 *
 * - `POST /{endpoint}?fal_webhook=` takes the model's input and responds with the request's id and three URLs, which
 *   contain only the first two segments of the endpoint. An invalid input is rejected at the job's end, not here.
 * - `GET …/requests/{id}/status?logs=0|1` returns IN_QUEUE, IN_PROGRESS or COMPLETED; `GET …/requests/{id}` the result,
 *   or the error with its status (400 before the end); `PUT …/requests/{id}/cancel` cancels.
 * - `GET /.well-known/jwks.json` has the public keys of the callbacks, `GET /files/{name}` the results; neither needs a
 *   key. Everything else needs `Authorization: Key {id}:{secret}`, otherwise 401.
 * - The end is posted to `fal_webhook`, signed with Ed25519, and retried until the response is a 2xx.
 * - Two requests of an account run at a time; the others wait.
 *
 * Assumed, because it is undocumented: the HTTP statuses of status and cancellation, the response to a request for a
 * result that is not ready, that a canceled request ends with `client_cancelled` and without a callback, and that an
 * `Idempotency-Key` is honored (which can be switched off). There is no stream of statuses.
 *
 * A word such as `[fal:slow]` in a job's input makes it misbehave: fal-behavior.ts lists them.
 */

import { type Clock, systemClock } from '../../shared/platform/clock.ts';
import { randomIds } from '../../shared/platform/ids.ts';
import { type ApiRequest, startApiServer } from '../api-server.ts';
import { callbackSender } from './callback-sender.ts';
import { type CallbackSigner, callbackSigner } from './callback-signer.ts';
import type { FalBehavior } from './fal-behavior.ts';
import { falHttp } from './fal-http.ts';
import { falQueue } from './fal-queue.ts';
import { type GenerateFiles, generateFiles, performFalJob, type ServedFiles } from './perform-fal-job.ts';

export interface FalFakeOptions {
  /** The port on 127.0.0.1; any free one if absent or 0. */
  readonly port?: number;
  /** The API key, in the form `id:secret`. */
  readonly key: string;
  /**
   * The behavior of jobs that request none, for all endpoints or each; by default, they take a quarter of a second and
   * succeed.
   */
  readonly behavior?: Partial<FalBehavior> | ((endpoint: string) => Partial<FalBehavior>);
  /** Generates the results; by default, plain files in the requested format, size and number. */
  readonly make?: GenerateFiles;
  /** The text that transcripts of recordings contain, repeated; by default, a few words in Portuguese. */
  readonly speech?: string;
  /** How many requests run concurrently. Default: 2. */
  readonly concurrency?: number;
  /** The pauses between attempts at a callback. Default: 0.5, 1, 2 and 4 s. */
  readonly retryDelaysMs?: readonly number[];
  /** Whether idempotency keys are honored, which fal.ai does not promise. Default: true. */
  readonly honorsIdempotencyKeys?: boolean;
  /** The clock for timestamps in callbacks. */
  readonly clock?: Clock;
}

export interface FalFake {
  /** The base URL of the queue, without a trailing slash. */
  readonly queueUrl: string;
  readonly jwksUrl: string;
  /** The latest requests, oldest first. */
  readonly requests: readonly ApiRequest[];
  /** Signs callbacks for tests that send their own. */
  readonly signer: CallbackSigner;
  /** Stops all jobs and callbacks and closes all connections. */
  close(): Promise<void>;
}

/** Starts the fake. Rejects if the port is in use. */
export const startFalFake = async (options: FalFakeOptions): Promise<FalFake> => {
  const { port = 0, key, behavior = {}, make = generateFiles, concurrency = 2, clock = systemClock } = options;
  const { speech, retryDelaysMs = [500, 1000, 2000, 4000], honorsIdempotencyKeys = true } = options;
  if (!/^[^\s:]+:[^\s:]+$/.test(key)) throw new Error('The key of the fal.ai fake must have the form id:secret.');
  const requests: ApiRequest[] = [];
  const files: ServedFiles = new Map();
  const ids = randomIds(clock);
  const newId = () => ids.next();
  let url = '';
  const signer = callbackSigner(clock);
  const callbacks = callbackSender({ signer, retryDelaysMs });
  const queue = falQueue({
    concurrency,
    honorsIdempotencyKeys,
    behaviorOf: typeof behavior === 'function' ? behavior : () => behavior,
    newId,
    queueUrl: () => url,
    work: (job, signal) => performFalJob(job, { make, speech, files, filesUrl: `${url}/files`, signal }),
    ended: (job) => callbacks.send(job),
  });
  const server = await startApiServer({ port, answer: falHttp({ key, queue, files, signer, requests }) });
  url = server.url;

  return {
    queueUrl: url,
    jwksUrl: `${url}/.well-known/jwks.json`,
    requests,
    signer,
    async close() {
      await Promise.all([queue.close(), callbacks.close(), server.close()]);
    },
  };
};
