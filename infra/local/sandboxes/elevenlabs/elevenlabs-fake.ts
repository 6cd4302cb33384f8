/**
 * A local fake of ElevenLabs' text to speech and voice changer, as its API reference documents them: the response to a
 * request is the sound itself, an MP3, and errors are JSON. Requests beyond the account's concurrency are rejected.
 *
 * Assumed, because it is undocumented: the HTTP statuses of some errors, and how long a request takes.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultVoiceIds } from '../../../../shared/catalog/voices.ts';
import { listen } from '../../listen.ts';
import { plainSound } from '../fal/plain-sound.ts';
import { type ElevenLabsFaultCode, type ElevenLabsReply, faultReply } from './elevenlabs-faults.ts';
import { type Judged, judgeConversion, judgeSpeech } from './elevenlabs-request.ts';

/**
 * What happens to a valid request: `hang` never responds, `break-off` ends in the middle of the sound, `empty` is a sound
 * of no bytes, `page` a success that is no sound, and `gateway` a failure of what is before the service.
 */
export type ElevenLabsFate = 'done' | 'hang' | 'break-off' | 'empty' | 'page' | 'gateway' | ElevenLabsFaultCode;

export interface ElevenLabsBehavior {
  /** One for each request; `last` for all further ones. */
  next: ElevenLabsFate[];
  last: ElevenLabsFate;
  workMs: number;
}

export interface ElevenLabsFakeOptions {
  readonly key: string;
  /** May be changed at any time. */
  readonly behavior?: ElevenLabsBehavior;
  /** Requests at a time. Default: 5, as of the plan Creator. */
  readonly concurrency?: number;
}

export interface ElevenLabsFakeRequest {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface ElevenLabsFake {
  /** Without a trailing slash. */
  readonly url: string;
  /** The requests with a valid key, oldest first. */
  readonly requests: readonly ElevenLabsFakeRequest[];
  close(): Promise<void>;
}

const voices = new Set(Object.values(defaultVoiceIds));
/** A voice of the account's own. */
export const ownVoiceId = 'myOwnVoice0000000001';

const send = (response: ServerResponse, { status, body }: ElevenLabsReply): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const judge = ({ path, contentType, body }: ElevenLabsFakeRequest): Judged | Promise<Judged> => {
  const [, endpoint, voice = ''] = /^\/v1\/(text-to-speech|speech-to-speech)\/([^/?]+)/.exec(path) ?? [];
  if (!endpoint) return { status: 404, body: { detail: 'Not Found' } };
  if (!voices.has(voice) && voice !== ownVoiceId) return faultReply('voice_not_found');
  return endpoint === 'text-to-speech' ? judgeSpeech(body) : judgeConversion(body, contentType);
};

async function respond(response: ServerResponse, seconds: number, fate: ElevenLabsFate): Promise<void> {
  const headers = { 'content-type': 'audio/mpeg' };
  switch (fate) {
    case 'hang':
      return;
    case 'empty':
      return void response.writeHead(200, headers).end();
    case 'page':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    case 'gateway':
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>upstream failed</html>');
    case 'done':
      return void response.writeHead(200, headers).end(await plainSound(seconds));
    case 'break-off': {
      const sound = await plainSound(seconds);
      response.writeHead(200, { ...headers, 'content-length': sound.length });
      return void response.write(sound.subarray(0, sound.length / 2), () => response.destroy());
    }
    default:
      return send(response, faultReply(fate));
  }
}

export async function startElevenLabsFake(options: ElevenLabsFakeOptions): Promise<ElevenLabsFake> {
  const { key, concurrency = 5, behavior = { next: [], last: 'done', workMs: 20 } } = options;
  const requests: ElevenLabsFakeRequest[] = [];
  let active = 0;

  async function work(request: ElevenLabsFakeRequest, response: ServerResponse): Promise<void> {
    const judged = await judge(request);
    if ('status' in judged) return send(response, judged);
    const fate = behavior.next.shift() ?? behavior.last;
    await sleep(behavior.workMs);
    await respond(response, judged.seconds, fate);
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { url: path = '', headers } = request;
    if (headers['xi-api-key'] !== key) return send(response, faultReply('invalid_api_key'));
    const received = { path, contentType: headers['content-type'] ?? '', body };
    requests.push(received);
    if (active >= concurrency) return send(response, faultReply('concurrent_limit_exceeded'));
    active += 1;
    try {
      await work(received, response);
    } finally {
      active -= 1;
    }
  }

  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
