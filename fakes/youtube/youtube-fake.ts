/**
 * A local fake of the YouTube Data API's `GET videos`, following its reference: a list with the duration in ISO 8601,
 * empty for a private or deleted video, and errors with a `reason`. Durations are derived from the ids.
 */
import { createHash } from 'node:crypto';
import { html, type Reply } from '../api-server.ts';
import { type JsonService, startJsonService } from '../json-service.ts';

/** How requests fail: as on any server (`hang`, `page`), or with a reason that YouTube documents. */
export type YoutubeFault = 'hang' | 'page' | 'quotaExceeded' | 'rateLimitExceeded' | 'backendError';

export interface YoutubeFakeOptions {
  readonly key: string;
  /** The duration of a video; undefined if it does not exist. */
  readonly durationOf?: (id: string) => string | undefined;
}

export interface YoutubeFake extends JsonService {
  /** Sets the fault of all further requests; undefined for none. */
  fail(fault: YoutubeFault | undefined): void;
}

const statuses = { quotaExceeded: 403, rateLimitExceeded: 403, backendError: 503, keyInvalid: 400, required: 400 };

const isId = (id: string): boolean => /^[\w-]{11}$/.test(id);

/**
 * A duration from one minute to almost half an hour. Ids that begin with `private` or `live` denote private videos or
 * live streams.
 */
const madeUpDuration = (id: string): string | undefined => {
  if (id.startsWith('private')) return undefined;
  if (id.startsWith('live')) return 'P0D';
  const number = createHash('sha256').update(id).digest().readUInt32BE();
  return `PT${1 + (number % 29)}M${number % 60}S`;
};

function faultReply(reason: keyof typeof statuses): Reply {
  const code = statuses[reason];
  const message = `The request failed: ${reason}.`;
  return { status: code, body: { error: { code, message, errors: [{ message, domain: 'youtube', reason }] } } };
}

export async function startYoutubeFake({ key, durationOf = madeUpDuration }: YoutubeFakeOptions): Promise<YoutubeFake> {
  let fault: YoutubeFault | undefined;

  function list({ pathname, searchParams }: URL): Reply {
    if (pathname !== '/videos') return { status: 404, body: { error: { code: 404, message: 'Not Found' } } };
    if (searchParams.get('part') !== 'contentDetails') return faultReply('required');
    const ids = (searchParams.get('id') ?? '').split(',').filter(isId);
    const durations = ids.map(durationOf).filter((duration) => duration !== undefined);
    return { status: 200, body: { items: durations.map((duration) => ({ contentDetails: { duration } })) } };
  }

  const service = await startJsonService({
    reply({ path, headers }) {
      if (headers['x-goog-api-key'] !== key) return faultReply('keyInvalid');
      if (fault === 'hang') return fault;
      if (fault === 'page') return html(200);
      return fault ? faultReply(fault) : list(new URL(path, 'http://fake'));
    },
  });
  return {
    ...service,
    fail(next) {
      fault = next;
    },
  };
}
