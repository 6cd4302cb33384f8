/**
 * Adapter to Vizard, version 1 of its API, following its reference (docs.vizard.ai, 2026-11): a project is created for
 * a video and polled until its clips are done; their URLs are valid for at least three hours. A code in the body
 * distinguishes success from failure. Vizard cannot be told to stop; its webhook is not used, because the reference
 * documents neither its body nor a signature.
 *
 * It documents no idempotency: if the response to a submission is lost, a second project may be created, at the
 * service's expense, not its customers'. After any response, the job is not submitted again.
 *
 * Unverified, because no account has been used: the HTTP statuses of errors, the response to a query for a project that
 * does not exist, whether `lang` may be `auto` for every account, whether a project has exactly `maxClipNumber` clips,
 * and whether clips of a small source are upscaled; a clip with fewer pixels than promised fails its task.
 */
import * as z from 'zod';
import { clipStages } from '../../contracts/generate-cortes.ts';
import { jsonIn } from '../../platform/json-in.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { Engine, EngineFailure, EngineJob, EngineOutcome, EngineProgress } from '../engine.ts';
import { type ApiResponse, type AskApi, providerApi } from '../provider-api.ts';
import { downloadPublicOutput } from '../public-output.ts';
import { codes, outcomeOf, replyIn, verdictOn } from './vizard-reply.ts';

export interface VizardAccess {
  /** The base URL, `https://elb-api.vizard.ai/hvizard-server-front/open-api/v1`. */
  readonly url: string;
  readonly key: () => Promise<string>;
  /** Downloads the outputs. */
  readonly outbound: Pick<Outbound, 'open'>;
  /** The time limit of each exchange except downloads. Default: 10 s. */
  readonly timeLimitMs?: number;
}

const Reference = z.object({ project: z.string().regex(/^\d{1,20}$/), count: z.int().positive() });

const failed = (code: EngineFailure): EngineOutcome => ({ status: 'failed', code });

/** The progress until the clips are done, because Vizard reports no stages. */
const working: EngineProgress = { status: 'running', progress: clipStages.download };

const unexpected = (act: string, { status, body }: ApiResponse): Error => {
  const code = replyIn({ status, isOk: false, body })?.code;
  return new Error(`Vizard responded with ${status}${code === undefined ? '' : ` (code ${code})`} to ${act}`);
};

/** Whether a fault is temporary, by its HTTP status if the response has no code of Vizard's. */
const isTemporary = ({ status }: ApiResponse): boolean => status >= 500 || [401, 402, 403, 408].includes(status);

async function submit(ask: AskApi, { input }: EngineJob): Promise<Awaited<ReturnType<Engine['submit']>>> {
  const response = await ask('/project/create', input);
  const reply = replyIn(response);
  if (!reply) {
    if (response.status === 429) return { status: 'busy' };
    if (isTemporary(response)) throw unexpected('a submission', response);
    return failed('PROVIDER_ERROR');
  }
  if (reply.code === codes.done && reply.projectId) {
    const reference = JSON.stringify({ project: reply.projectId, count: Number(input.maxClipNumber) });
    return { status: 'accepted', reference, completion: 'polling' };
  }
  const verdict = verdictOn(reply);
  if (verdict === 'busy') return { status: 'busy' };
  if (verdict === 'temporary') throw unexpected('a submission', response);
  return verdict;
}

async function check(ask: AskApi, text: string): Promise<Awaited<ReturnType<Engine['check']>>> {
  const reference = Reference.safeParse(jsonIn(text)).data;
  if (!reference) throw new Error('the reference is not to a project at Vizard');
  const response = await ask(`/project/query/${reference.project}`);
  if (response.status === 404) return { status: 'lost' };
  const reply = replyIn(response);
  if (!reply) {
    if (response.isOk) return failed('PROVIDER_ERROR');
    throw unexpected('a query', response);
  }
  if (reply.code === codes.working) return working;
  if (reply.code === codes.done) return outcomeOf(reply, reference.count);
  const verdict = verdictOn(reply);
  // Running out of minutes is final, because the project gets no clips. A rejected key, in contrast, may be replaced.
  if (reply.code === 4007) return failed('PROVIDER_ERROR');
  if (verdict === 'busy' || verdict === 'temporary') throw unexpected('a query', response);
  return verdict;
}

/** Creates the engine. Errors contain a status and a code, never text of users or of Vizard. */
export function vizardEngine({ url, key, outbound, timeLimitMs = 10_000 }: VizardAccess): Engine {
  const ask = providerApi({
    provider: 'Vizard',
    url: url.replace(/\/$/, ''),
    headersWith: (value) => ({ VIZARDAI_API_KEY: value }),
    key,
    timeLimitMs,
  });
  return {
    submit: (job) => submit(ask, job),
    check: (reference) => check(ask, reference),
    cancel: async () => undefined,
    readCallback: async () => undefined,
    download: (output) => downloadPublicOutput('Vizard', output, outbound),
  };
}
