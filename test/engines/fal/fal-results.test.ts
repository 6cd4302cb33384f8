/** The results of ended fal.ai jobs, and what fal.ai charges for them. */
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { adapterTo, closeAll, deadUrl, faultOf, referenceTo, type Written, withResponses } from './fal-subject.ts';

afterEach(closeAll);

const completed = { status: 200, body: { status: 'COMPLETED' } };

/** An ended job with this response to the request for its result. */
const resultOf = async (written: Written) => {
  const { engine } = await withResponses(({ path }) => (path.includes('/status') ? completed : written));
  return engine.check(referenceTo());
};
/** The charge that the headers of a result state. */
const chargeIn = async (units: string) =>
  Object(await resultOf({ status: 200, body: {}, headers: { 'X-Fal-Billable-Units': units } })).charge;
const payload = (body: unknown) => resultOf({ status: 200, body });

describe('a fal.ai result', () => {
  const url = 'https://cdn.example/files/a.png?x=1';

  it.each([
    [
      'images',
      { images: [{ url, content_type: 'image/webp', width: 3, height: 2 }] },
      [{ url, contentType: 'image/webp', width: 3, height: 2 }],
    ],
    [
      'image',
      { image: { url, content_type: 'image/PNG; q=1', width: null, file_size: 9 } },
      [{ url, contentType: 'image/png' }],
    ],
    [
      'video',
      { video: { url: 'https://cdn.example/a.MP4' }, seed: 1 },
      [{ url: 'https://cdn.example/a.MP4', contentType: 'video/mp4' }],
    ],
    [
      'audio',
      { audio: { url: 'https://cdn.example/a.mp3', content_type: 'audio/mpeg' } },
      [{ url: 'https://cdn.example/a.mp3', contentType: 'audio/mpeg' }],
    ],
    [
      'an empty type',
      { image: { url, content_type: 'application/octet-stream' } },
      [{ url, contentType: 'image/png' }],
    ],
    [
      'no type at all',
      { image: { url: 'https://cdn.example/a' } },
      [{ url: 'https://cdn.example/a', contentType: 'application/octet-stream' }],
    ],
    ['invalid dimensions', { image: { url, width: 0, height: 1.5 } }, [{ url, contentType: 'image/png' }]],
    [
      'flags that are false',
      { images: [{ url }], has_nsfw_concepts: [false], nsfw: false },
      [{ url, contentType: 'image/png' }],
    ],
  ])('with %s returns the outputs', async (_, body, outputs) => {
    expect(await payload(body)).toEqual({ status: 'done', outputs });
  });

  it.each([
    [{ images: [{ url }], has_nsfw_concepts: [false, true] }, 'CONTENT_REJECTED'],
    [{ image: { url }, has_nsfw_concepts: true }, 'CONTENT_REJECTED'],
    [{ images: [{ url }], has_nsfw_concepts: Array.from({ length: 101 }, () => false) }, 'PROVIDER_ERROR'],
    [{ image: { url }, nsfw: true }, 'CONTENT_REJECTED'],
    [{ images: [] }, 'CONTENT_REJECTED'],
    [{}, 'PROVIDER_ERROR'],
    [{ images: [{}] }, 'PROVIDER_ERROR'],
    [{ image: { url: 'data:image/png;base64,AAAA' } }, 'PROVIDER_ERROR'],
    [{ image: { url: 'file:///etc/passwd' } }, 'PROVIDER_ERROR'],
    ['no JSON', 'PROVIDER_ERROR'],
  ])('with the body %o is a failure: %s', async (body, code) => {
    expect(await payload(body)).toEqual({ status: 'failed', code });
  });

  it('with its error type only in a header is parsed', async () => {
    const headers = { 'X-Fal-Error-Type': 'startup_timeout' };
    expect(await resultOf({ status: 504, body: '', headers })).toEqual({ status: 'failed', code: 'PROVIDER_TIMEOUT' });
  });

  it('with the status 422 and an undocumented error type counts as a rejection of the input', async () => {
    const body = { detail: [{ type: 'literal_error', loc: ['body', 'model'] }] };
    expect(await resultOf({ status: 422, body })).toEqual({ status: 'failed', code: 'INPUT_INVALID' });
  });

  it.each([401, 403, 429, 500, 502, 503])(
    'is requested again after a response with the status %i that says nothing about the job',
    async (status) => {
      expect(await faultOf(resultOf({ status, body: '<html>' }))).toContain(
        `fal.ai responded with ${status} to a result request`,
      );
    },
  );
});

test('the charge of a fal.ai job is the number of billable units in the headers of its result, even if the job failed', async () => {
  expect(await chargeIn('2.5')).toEqual({ units: 2.5 });
  expect(await chargeIn('0')).toEqual({ units: 0 });
  for (const unknown of ['', '-1', '1e9', 'NaN', '99999999', 'two']) expect(await chargeIn(unknown)).toBeUndefined();
  const rejected = { status: 422, body: { detail: [{ type: 'missing' }] }, headers: { 'X-Fal-Billable-Units': '1' } };
  expect(await resultOf(rejected)).toMatchObject({ status: 'failed', charge: { units: 1 } });
});

test('the charge of a fal.ai job is read from headers alone, and is unknown if they take over two seconds', async () => {
  const within = vi.spyOn(AbortSignal, 'timeout');
  const charged = (written: Written | undefined, access = {}) =>
    withResponses(() => written, access).then(({ engine }) => engine.readCharge?.(referenceTo()));
  const headers = { 'X-Fal-Billable-Units': '2' };
  const endless = 'x'.repeat(20 * 2 ** 20);
  expect(await charged({ status: 200, body: endless, headers })).toEqual({ units: 2 });
  expect(within.mock.calls).toEqual([[2000]]);
  within.mockRestore();
  expect(await charged({ status: 500, body: {} })).toBeUndefined();
  expect(await charged(undefined, { timeLimitMs: 50 })).toBeUndefined();
  const nowhere = adapterTo({ queueUrl: await deadUrl(), jwksUrl: 'http://127.0.0.1:1' });
  expect(await nowhere.readCharge?.(referenceTo())).toBeUndefined();
});
