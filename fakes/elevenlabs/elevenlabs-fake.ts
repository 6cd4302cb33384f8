/**
 * A local fake of ElevenLabs' text to speech, voice changer and Scribe, following its API reference: a successful
 * response is an MP3, and errors are JSON. Transcripts are created in the background, and found at `GET
 * /v1/speech-to-text/transcripts/{id}` when complete. Requests beyond the account's concurrency limit are rejected.
 * `GET /v1/user` describes the account of the key.
 *
 * Assumed, because it is undocumented: the HTTP statuses of some errors, and how long a request takes.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultVoiceIds } from '../../shared/catalog/voices.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { randomIds } from '../../shared/platform/ids.ts';
import { plainSound } from '../fal/plain-sound.ts';
import { closeServer, listen } from '../listen.ts';
import { type ElevenLabsFaultCode, type ElevenLabsReply, faultReply } from './elevenlabs-faults.ts';
import { type Judged, judgeConversion, judgeSpeech, type SoundRequest } from './elevenlabs-request.ts';
import { transcripts } from './elevenlabs-transcripts.ts';

/**
 * The outcome of a valid request: `hang` never responds, `break-off` ends in the middle of the audio, `empty` returns
 * no bytes, `page` is a success that is not audio, and `gateway` is an error of a proxy in front of the service.
 */
export type ElevenLabsOutcome = 'done' | 'hang' | 'break-off' | 'empty' | 'page' | 'gateway' | ElevenLabsFaultCode;

export interface ElevenLabsBehavior {
  /** One outcome per request; further requests have the outcome `last`. */
  next: ElevenLabsOutcome[];
  last: ElevenLabsOutcome;
  workMs: number;
}

export interface SoundOptions {
  readonly voiceId: string;
  /** The URL at which the recording of a conversion can be downloaded while the request is processed. */
  readonly recordingUrl: string;
  /** Aborts when the fake closes. */
  readonly signal: AbortSignal;
}

/** Generates the MP3 for a valid request. If it throws, the request fails with an internal error. */
export type MakeSound = (request: SoundRequest, options: SoundOptions) => Promise<Buffer>;

export interface ElevenLabsFakeOptions {
  readonly key: string;
  /** Generates the audio; by default, a tone of the right duration. */
  readonly make?: MakeSound;
  /** The behavior, which tests may change at any time. */
  readonly behavior?: ElevenLabsBehavior;
  /** The text that is spoken in recordings, repeated; by default, a few words in Portuguese. */
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

const send = (response: ServerResponse, { status, body }: ElevenLabsReply): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const placeIn = (path: string): readonly [endpoint: string, voiceId: string] => {
  const [, endpoint = '', voiceId = ''] = /^\/v1\/(text-to-speech|speech-to-speech)\/([^/?]+)/.exec(path) ?? [];
  return [endpoint, voiceId];
};

const judge = ({ path, contentType, body }: ElevenLabsFakeRequest): Judged | Promise<Judged> => {
  const [endpoint, voiceId] = placeIn(path);
  if (!endpoint) return { status: 404, body: { detail: 'Not Found' } };
  if (!voices.has(voiceId) && voiceId !== ownVoiceId) return faultReply('voice_not_found');
  return endpoint === 'text-to-speech' ? judgeSpeech(body) : judgeConversion(body, contentType);
};

interface Content {
  readonly contentType: string;
  readonly bytes: () => Promise<Buffer>;
}

async function respond(response: ServerResponse, content: Content, outcome: ElevenLabsOutcome): Promise<void> {
  const headers = { 'content-type': content.contentType };
  switch (outcome) {
    case 'hang':
      return;
    case 'empty':
      return void response.writeHead(200, headers).end();
    case 'page':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    case 'gateway':
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>upstream failed</html>');
    case 'done':
      return void response.writeHead(200, headers).end(await content.bytes());
    case 'break-off': {
      const bytes = await content.bytes();
      response.writeHead(200, { ...headers, 'content-length': bytes.length });
      return void response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    }
    default:
      return send(response, faultReply(outcome));
  }
}

/** The account in responses, with some of the documented fields. */
const account: ElevenLabsReply = { status: 200, body: { user_id: 'sandbox', subscription: { tier: 'creator' } } };

const plainTone: MakeSound = ({ seconds }) => plainSound(seconds);

/** Serves the recordings of conversions in progress, at unguessable paths. */
function servedRecordings() {
  const recordings = new Map<string, Buffer>();
  const ids = randomIds(systemClock);
  return {
    at: (path: string) => recordings.get(path),
    async during<Value>(request: SoundRequest, work: (path: string) => Promise<Value>): Promise<Value> {
      const path = `/recordings/${ids.secret(16)}`;
      if (request.kind === 'conversion') recordings.set(path, request.recording);
      try {
        return await work(path);
      } finally {
        recordings.delete(path);
      }
    },
  };
}

interface Desk {
  readonly options: ElevenLabsFakeOptions;
  /** Builds a URL of the fake itself, once its port is known. */
  readonly urlOf: (path: string) => string;
  readonly requests: ElevenLabsFakeRequest[];
  readonly signal: AbortSignal;
}

function receiver({ options, urlOf, requests, signal }: Desk) {
  const { key, speech, make = plainTone, concurrency = 5, behavior = { next: [], last: 'done', workMs: 20 } } = options;
  const recordings = servedRecordings();
  let active = 0;

  const scribe = transcripts({ signal, speech });

  async function soundOf(request: ElevenLabsFakeRequest): Promise<Content | ElevenLabsReply> {
    const judged = await judge(request);
    if ('status' in judged) return judged;
    const [, voiceId] = placeIn(request.path);
    const bytes = () =>
      recordings.during(judged, (path) => make(judged, { voiceId, recordingUrl: urlOf(path), signal }));
    return { contentType: 'audio/mpeg', bytes };
  }

  async function receiptOf({ path, body, contentType }: ElevenLabsFakeRequest): Promise<Content | ElevenLabsReply> {
    const [, id] = /^\/v1\/speech-to-text\/transcripts\/([^/?]+)$/.exec(path) ?? [];
    const reply = id === undefined ? await scribe.order(body, contentType) : scribe.find(id);
    if (reply.status !== 200) return reply;
    return { contentType: 'application/json', bytes: async () => Buffer.from(JSON.stringify(reply.body)) };
  }

  async function work(request: ElevenLabsFakeRequest, response: ServerResponse): Promise<void> {
    const isOfScribe = /^\/v1\/speech-to-text(?:\/|$)/.test(request.path);
    const content = await (isOfScribe ? receiptOf(request) : soundOf(request));
    if ('status' in content) return send(response, content);
    const outcome = behavior.next.shift() ?? behavior.last;
    await sleep(behavior.workMs);
    await respond(response, content, outcome);
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { url: path = '', headers } = request;
    const recording = recordings.at(path);
    if (recording) return void response.writeHead(200, { 'content-length': recording.length }).end(recording);
    if (headers['xi-api-key'] !== key) return send(response, faultReply('invalid_api_key'));
    if (path === '/v1/user') return send(response, account);
    const received = { path, contentType: headers['content-type'] ?? '', body };
    requests.push(received);
    if (active >= concurrency) return send(response, faultReply('concurrent_limit_exceeded'));
    active += 1;
    try {
      await work(received, response);
    } finally {
      active -= 1;
    }
  };
}

export async function startElevenLabsFake(options: ElevenLabsFakeOptions): Promise<ElevenLabsFake> {
  const requests: ElevenLabsFakeRequest[] = [];
  const closing = new AbortController();
  let url = '';
  const receive = receiver({ options, urlOf: (path) => url + path, requests, signal: closing.signal });
  const server = createServer((request, response) => {
    receive(request, response).catch(() => {
      if (response.headersSent) return void response.destroy();
      return send(response, faultReply('internal_server_error'));
    });
  });
  url = `http://127.0.0.1:${await listen(server, 0)}`;
  return {
    url,
    requests,
    async close() {
      closing.abort();
      await closeServer(server);
    },
  };
}
