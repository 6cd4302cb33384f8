/**
 * A local fake of ElevenLabs' text to speech, voice changer and Scribe, following its API reference: a successful
 * response is an MP3, and errors are JSON. Transcripts are created in the background, and found at `GET
 * /v1/speech-to-text/transcripts/{id}` when complete. Requests beyond the account's concurrency limit are rejected.
 * `GET /v1/user` describes the account of the key.
 *
 * Assumed, because it is undocumented: the HTTP statuses of some errors, and how long a request takes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultVoiceIds } from '../../shared/catalog/voices.ts';
import { type Answer, type ApiRequest, html, type Reply, startApiServer } from '../api-server.ts';
import { plainSound } from '../plain-media.ts';
import { type ElevenLabsFaultCode, faultReply } from './elevenlabs-faults.ts';
import { type Judged, judgeConversion, judgeSpeech } from './elevenlabs-request.ts';
import { transcripts } from './elevenlabs-transcripts.ts';

/**
 * The outcome of a valid request: `hang` never responds, `break-off` ends in the middle of the audio, `empty` returns
 * no bytes, `page` is a success that is not audio, and `gateway` is an error of a proxy in front of the service.
 */
export type ElevenLabsOutcome = 'done' | 'hang' | 'break-off' | 'empty' | 'page' | 'gateway' | ElevenLabsFaultCode;

export interface ElevenLabsBehavior {
  /** One outcome per request; once these are used up, requests have the outcome `last`. */
  next: ElevenLabsOutcome[];
  last: ElevenLabsOutcome;
  workMs: number;
}

export interface ElevenLabsFakeOptions {
  readonly key: string;
  /** The behavior, which tests may change at any time. */
  readonly behavior?: ElevenLabsBehavior;
  /** The text that transcripts of recordings contain, repeated; by default, a few words in Portuguese. */
  readonly speech?: string;
  /** How many requests may run concurrently. Default: 5, as in the Creator plan. */
  readonly concurrency?: number;
}

export interface ElevenLabsFakeRequest {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface ElevenLabsFake {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  /** The requests with a valid key, oldest first. */
  readonly requests: readonly ElevenLabsFakeRequest[];
  close(): Promise<void>;
}

const voices = new Set(Object.values(defaultVoiceIds));
/** The id of a voice that belongs to the account. */
export const ownVoiceId = 'myOwnVoice0000000001';

const notFound: Reply = { status: 404, body: { detail: 'Not Found' } };

const judge = ({ path, contentType, body }: ElevenLabsFakeRequest): Judged | Promise<Judged> => {
  const [, endpoint = '', voiceId = ''] = /^\/v1\/(text-to-speech|speech-to-speech)\/([^/?]+)/.exec(path) ?? [];
  if (!endpoint) return notFound;
  if (!voices.has(voiceId) && voiceId !== ownVoiceId) return faultReply('voice_not_found');
  return endpoint === 'text-to-speech' ? judgeSpeech(body) : judgeConversion(body, contentType);
};

/** The account as responses describe it, with some of the documented fields. */
const account: Reply = { status: 200, body: { user_id: 'sandbox', subscription: { tier: 'creator' } } };

async function answerWith(outcome: ElevenLabsOutcome, done: () => Promise<Reply>): Promise<Answer> {
  switch (outcome) {
    case 'hang':
      return 'hang';
    case 'empty':
      return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: Buffer.alloc(0) };
    case 'page':
      return html(200);
    case 'gateway':
      return html(502, '<html>upstream failed</html>');
    case 'done':
      return done();
    case 'break-off':
      return { ...(await done()), half: 'down' };
    default:
      return faultReply(outcome);
  }
}

export async function startElevenLabsFake(options: ElevenLabsFakeOptions): Promise<ElevenLabsFake> {
  const { key, speech, concurrency = 5, behavior = { next: [], last: 'done', workMs: 20 } } = options;
  const requests: ElevenLabsFakeRequest[] = [];
  const closing = new AbortController();
  const scribe = transcripts({ signal: closing.signal, speech });
  let active = 0;

  /** What a valid request results in, or the rejection of an invalid one. */
  async function prepared(request: ElevenLabsFakeRequest): Promise<Reply | (() => Promise<Reply>)> {
    const { path, body, contentType } = request;
    if (/^\/v1\/speech-to-text(?:\/|$)/.test(path)) {
      const [, id] = /^\/v1\/speech-to-text\/transcripts\/([^/?]+)$/.exec(path) ?? [];
      const reply = id === undefined ? await scribe.order(body, contentType) : scribe.find(id);
      return reply.status === 200 ? async () => reply : reply;
    }
    const judged = await judge(request);
    if ('status' in judged) return judged;
    return async () => {
      const headers = { 'content-type': 'audio/mpeg', 'character-cost': String(judged.characters) };
      return { status: 200, headers, body: await plainSound(judged.seconds) };
    };
  }

  async function work(request: ElevenLabsFakeRequest): Promise<Answer> {
    const result = await prepared(request);
    if (typeof result === 'object') return result;
    const outcome = behavior.next.shift() ?? behavior.last;
    await sleep(behavior.workMs);
    return answerWith(outcome, result);
  }

  async function answer({ path, headers, bytes: body }: ApiRequest): Promise<Answer> {
    if (headers['xi-api-key'] !== key) return faultReply('invalid_api_key');
    if (path === '/v1/user') return account;
    const received = { path, contentType: headers['content-type'] ?? '', body };
    requests.push(received);
    if (active >= concurrency) return faultReply('concurrent_limit_exceeded');
    active += 1;
    try {
      return await work(received);
    } finally {
      active -= 1;
    }
  }

  const server = await startApiServer({ answer });
  return {
    url: server.url,
    requests,
    async close() {
      closing.abort();
      await server.close();
    },
  };
}
