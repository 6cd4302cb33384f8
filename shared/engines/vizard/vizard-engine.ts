/**
 * The adapter to Vizard, version 1 of its API, as its reference documents it (docs.vizard.ai, 2026-11): a project is
 * created for a video and queried until its clips are done, with addresses that are valid for three hours at least.
 * Success and failure are told by a code in the body. Vizard cannot be told to stop; its webhook is not used, because the
 * reference documents neither its body nor a signature.
 *
 * It documents no idempotency: a submission whose response was lost may create a second project, which the service pays
 * for and its customers do not. After any response, there is no second submission.
 *
 * Unverified, because no account has been used: the HTTP statuses of errors, what is queried of a project that does not
 * exist, whether `lang` may be `auto` for every account, whether a project has exactly `maxClipNumber` clips, and
 * whether clips of a small source are enlarged: one of fewer pixels than promised fails its task.
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
  /** `https://elb-api.vizard.ai/hvizard-server-front/open-api/v1` */
  readonly url: string;
  readonly key: () => Promise<string>;
  /** Downloads the outputs. */
  readonly outbound: Pick<Outbound, 'open'>;
  /** Limits each exchange except downloads. Default: 10 s. */
  readonly timeLimitMs?: number;
}

const Reference = z.object({ project: z.string().regex(/^\d{1,20}$/), count: z.int().positive() });

const failed = (code: EngineFailure): EngineOutcome => ({ status: 'failed', code });

/** Vizard tells no stage until the clips are done. */
const working: EngineProgress = { status: 'running', progress: clipStages.download };

const unexpected = (act: string, { status, body }: ApiResponse): Error => {
  const code = replyIn({ status, isOk: false, body })?.code;
  return new Error(`Vizard responded with ${status}${code === undefined ? '' : ` (code ${code})`} to ${act}`);
};

/** Where a response has no code of Vizard's, its status counts. */
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
  // A project that ran out of minutes stays without clips; a rejected key may be replaced.
  if (reply.code === 4007) return failed('PROVIDER_ERROR');
  if (verdict === 'busy' || verdict === 'temporary') throw unexpected('a query', response);
  return verdict;
}

/** Errors contain a status and a code, never the text of users or of Vizard. */
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
