/** Reports of fal.ai for tests, signed by the fake. */
import type { SignatureChoice } from '../../../fakes/fal/callback-signer.ts';
import type { FalFake } from '../../../fakes/fal/fal-fake.ts';
import type { EngineCallback } from '../../../shared/engines/engine.ts';
import { currentJob } from '../../support/current-job.ts';

/** The unmodified report. */
export const done = { status: 'done', outputs: [{ url: 'https://cdn.example/a.png', contentType: 'image/png' }] };
export const report = (changes: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({
    request_id: 'request-1',
    gateway_request_id: 'request-1',
    status: 'OK',
    payload: { images: [{ url: 'https://cdn.example/a.png', content_type: 'image/png' }] },
    ...changes,
  });

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The row of a job whose acceptance is not stored yet. */
export const unknown = currentJob();

export const signed = (fake: FalFake, body = report(), choice: Partial<SignatureChoice> = {}): EngineCallback => ({
  headers: lowerCase(fake.signer.headers(body, { requestId: 'request-1', ...choice })),
  body,
});

/** How often the fake's keys were fetched. */
export const keyRequests = ({ requests }: FalFake) => requests.filter(({ path }) => path.includes('jwks')).length;
