import { afterEach, describe, expect, it, test } from 'vitest';
import { FalFault, falFaultTypes } from '../../../fakes/fal/fal-faults.ts';
import type { EngineOutcome } from '../../../shared/engines/engine.ts';
import { documentedFaultTypes } from '../../../shared/engines/fal/fal-fault.ts';
import { startReceiver } from '../../offline-engine/callback-receiver.ts';
import { currentJob } from '../../support/current-job.ts';
import { eventually } from '../../support/eventually.ts';
import { accepted, adapterTo, closeAll, ended, falKey, faultOf, job, onFake, open } from './fal-subject.ts';

afterEach(closeAll);

const requesting = (word: string) => ({ input: { prompt: `a lighthouse [fal:${word}]` } });

/** The outcome of a job with requested behavior, by polling and by the first genuine callback. */
const outcomesOf = async (word: string) => {
  const { engine } = await onFake();
  const receiver = open(await startReceiver());
  const { reference } = await accepted(engine, { ...requesting(word), callbackUrl: receiver.url });
  const asked = await ended(engine, reference);
  const callback = await receiver.arrived(() => true);
  return { asked, called: await engine.readCallback(callback, currentJob(reference)) };
};

describe('a fal.ai job', () => {
  it('is submitted and polled until it is done, and its outputs are downloaded', async () => {
    const { engine, fake } = await onFake({ behavior: { queueMs: 100, runMs: 200 } });
    const input = { prompt: 'a lighthouse', num_images: 2, output_format: 'jpeg', aspect_ratio: '16:9' };
    const { reference, completion } = await accepted(engine, { input });
    expect(completion).toBe('callback');
    const states: unknown[] = [];
    await eventually('the end of the job', async () => {
      const state = await engine.check(reference);
      states.push(state.status);
      return state.status === 'done' ? state : undefined;
    });
    // The number of observed states depends on the machine, but their order does not.
    expect(states.join(' ')).toMatch(/^(queued )*(running )*done$/);

    const done = await ended(engine, reference);
    if (done.status !== 'done') throw new Error(`it was ${done.status}`);
    const output = { contentType: 'image/jpeg', width: 128, height: 72, url: expect.stringContaining('/files/') };
    expect(done.outputs).toEqual([output, output]);
    for (const made of done.outputs) {
      const { body } = await engine.download(made);
      expect(Buffer.concat(await Array.fromAsync(body)).toString('latin1', 0, 3)).toBe('\xff\xd8\xff');
    }
    expect(fake.requests.every(({ path }) => !path.includes('/requests/') || path.startsWith('/fal-ai/nano'))).toBe(
      true,
    );
  });

  it('sends only the model’s input in the body, and the key, callback URL and task id in the URL and headers', async () => {
    const { engine, fake } = await onFake();
    const callbackUrl = 'https://service.example/inbound/engines/fal/a%2Fb?x=1&y=ü#z';
    await accepted(engine, { callbackUrl });
    const [{ method, path, headers, body } = expect.fail('nothing arrived')] = fake.requests;
    const url = new URL(path, fake.queueUrl);
    expect([method, url.pathname]).toEqual(['POST', '/fal-ai/nano-banana-2']);
    expect([...url.searchParams]).toEqual([['fal_webhook', callbackUrl]]);
    expect(JSON.parse(body)).toEqual(job().input);
    expect(headers).toMatchObject({ authorization: `Key ${falKey}`, 'idempotency-key': 'task-1' });
  });

  it('is polled at the URLs that fal.ai returned, which omit the last part of the endpoint’s id', async () => {
    const { engine, fake } = await onFake();
    const input = { image_url: 'https://example.com/a.png' };
    const { reference } = await accepted(engine, { model: 'fal-ai/seedvr/upscale/image', input });
    expect(await ended(engine, reference)).toMatchObject({ status: 'done', outputs: [{ contentType: 'image/png' }] });
    const asked = fake.requests.map(({ path }) => path).filter((path) => path.includes('/requests/'));
    expect(asked.every((path) => path.startsWith('/fal-ai/seedvr/requests/'))).toBe(true);
  });

  it('that is submitted twice with the same task id is created once if fal.ai honors the idempotency key', async () => {
    const { engine } = await onFake();
    const first = await accepted(engine);
    expect(await accepted(engine)).toEqual(first);
    expect(await accepted(engine, { taskId: 'task-2' })).not.toEqual(first);
  });

  it('that fal.ai no longer knows is reported as lost', async () => {
    const { engine } = await onFake();
    const { reference } = await accepted(engine, requesting('forgotten'));
    expect(await engine.check(reference)).toEqual({ status: 'lost' });
  });

  it('can be canceled without an error while it waits or runs, after it has ended, and if fal.ai does not know it', async () => {
    const waiting = await onFake({ behavior: { queueMs: 60_000 } });
    const { reference } = await accepted(waiting.engine);
    await waiting.engine.cancel(reference);
    expect(await waiting.engine.check(reference)).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
    await waiting.engine.cancel(reference);

    const running = await onFake({ behavior: { queueMs: 0, runMs: 60_000 } });
    const begun = await accepted(running.engine);
    await eventually('a running job', async () => {
      return (await running.engine.check(begun.reference)).status === 'running' || undefined;
    });
    await running.engine.cancel(begun.reference);
    expect(await running.engine.check(begun.reference)).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });

    const { engine } = await onFake();
    await engine.cancel(reference);
  });
});

describe('a fal.ai submission that fails temporarily throws an error, and a later one succeeds:', () => {
  it.each([
    ['rate_limit', '429'],
    ['500', '500'],
    ['503', '503 to a submission (runner_scheduling_failure)'],
  ])('with the fault [fal:%s]', async (word, status) => {
    const { engine } = await onFake();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await faultOf(engine.submit(job(requesting(word))))).toContain(`fal.ai responded with ${status}`);
    }
    await accepted(engine, requesting(word));
  });

  it('after a timeout', async () => {
    const { fake, engine } = await onFake();
    const impatient = adapterTo({ queueUrl: fake.queueUrl, jwksUrl: fake.jwksUrl, timeLimitMs: 200 });
    // On a busy machine the time limit may pass before the request arrives.
    do expect(await faultOf(impatient.submit(job(requesting('hang'))))).toContain('timeout');
    while (fake.requests.length === 0);
    await accepted(engine, requesting('hang'));
  });
});

describe('a failed fal.ai job, whether it is polled or reported by a callback,', () => {
  const input = `
    image_too_large image_too_small image_load_error file_too_large face_detection_error unsupported_image_format
    unsupported_audio_format unsupported_video_format feature_not_supported invalid_archive sequence_too_long
    sequence_too_short video_duration_too_long video_duration_too_short audio_duration_too_long audio_duration_too_short
    one_of greater_than less_than missing value_error`;
  const own = `
    runner_scheduling_failure runner_connection_timeout runner_disconnected runner_connection_refused
    runner_connection_error runner_incomplete_response runner_server_error client_disconnected client_cancelled
    downstream_service_error bad_request internal_error`;
  const words = (text: string) => text.trim().split(/\s+/);
  const documented: readonly (readonly [string, readonly string[]])[] = [
    ['CONTENT_REJECTED', ['content_policy_violation', 'no_media_generated']],
    ['DOWNLOAD_FAILED', ['file_download_error']],
    ['INPUT_INVALID', words(input)],
    ['PROVIDER_TIMEOUT', ['generation_timeout', 'request_timeout', 'startup_timeout']],
    ['PROVIDER_ERROR', words(own)],
  ];

  test('can only have error types that both the adapter and the tests handle', () => {
    const known = [...falFaultTypes].toSorted();
    expect([...documentedFaultTypes].toSorted()).toEqual(known);
    expect(documented.flatMap(([, types]) => types).toSorted()).toEqual(known);
  });

  test.for(documented)('ends with %s after each error that is documented with this meaning', async ([code, types]) => {
    const failed = { status: 'failed', code };
    for (const type of types) {
      expect([type, await outcomesOf(type)]).toEqual([type, { asked: failed, called: failed }]);
    }
  });
});

describe('the outcome of a fal.ai job', () => {
  const outcomes: readonly (readonly [string, EngineOutcome['status'], string?])[] = [
    ['none', 'done'],
    ['nsfw', 'failed', 'CONTENT_REJECTED'],
    ['empty', 'failed', 'CONTENT_REJECTED'],
    ['error-in-callback', 'failed', 'PROVIDER_ERROR'],
    ['undocumented-type', 'failed', 'INPUT_INVALID'],
  ];
  test.for(outcomes)(
    'is the same by polling and by callback in the simulated case [fal:%s]',
    async ([word, status, code]) => {
      const { asked, called } = await outcomesOf(word);
      expect(asked).toMatchObject({ status, ...(code && { code }) });
      // After a callback, `readCharge` reads what was charged.
      const { charge: _charge, ...outcome } = asked as typeof asked & { charge?: object };
      expect(called).toEqual(outcome);
    },
  );

  it('is INPUT_INVALID if the model does not accept the input', async () => {
    const { engine } = await onFake();
    for (const changed of [{}, { prompt: 7 }, { prompt: 'x', aspect_ratio: '5:1' }, { prompt: 'x', num_images: 0 }]) {
      const { reference } = await accepted(engine, { input: changed });
      expect(await ended(engine, reference)).toEqual({ status: 'failed', code: 'INPUT_INVALID' });
    }
  });

  it('is the error code that the image generator reports', async () => {
    const { engine } = await onFake({
      make: async () => {
        throw new FalFault('file_download_error');
      },
    });
    const { reference } = await accepted(engine);
    expect(await ended(engine, reference)).toEqual({ status: 'failed', code: 'DOWNLOAD_FAILED' });
  });

  it('is PROVIDER_ERROR if the job has ended but its result is missing', async () => {
    const { engine } = await onFake();
    const { reference } = await accepted(engine, requesting('result-404'));
    expect(await ended(engine, reference)).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
  });

  it('stays open, with an error for a retry, while the result is temporarily unavailable', async () => {
    const { engine } = await onFake();
    const { reference } = await accepted(engine, requesting('result-500'));
    expect(await faultOf(ended(engine, reference))).toContain('fal.ai responded with 500 to a result request');
  });

  it('is PROVIDER_ERROR if the endpoint does not exist', async () => {
    const { engine } = await onFake();
    const response = await engine.submit(job({ model: 'fal-ai/unknown' }));
    expect(response).toEqual({ status: 'failed', code: 'PROVIDER_ERROR', charge: { units: 0 } });
  });
});
