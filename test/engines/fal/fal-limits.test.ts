import { afterEach, describe, expect, it } from 'vitest';
import {
  adapterTo,
  closeAll,
  deadUrl,
  falKey,
  faultOf,
  job,
  referenceTo,
  type Written,
  withResponses,
} from './fal-subject.ts';

afterEach(closeAll);

const completed = { status: 200, body: { status: 'COMPLETED' } };

describe('the fal.ai adapter', () => {
  const acts = ['submit', 'check', 'cancel'] as const;
  const perform = (engine: ReturnType<typeof adapterTo>, act: (typeof acts)[number]): Promise<unknown> =>
    act === 'submit' ? engine.submit(job()) : engine[act](referenceTo());

  it.each(acts)(
    'in the operation “%s” follows no redirect, does not read an endless response and does not wait forever',
    async (act) => {
      const other = await withResponses(() => completed);
      const redirect = { status: 307, body: '', headers: { Location: `${other.url}/x` } };
      const endless = { status: 200, body: 'x'.repeat(5 * 2 ** 20) };
      for (const [written, message] of [
        [redirect, 'a redirect'],
        [endless, 'the response is too long'],
        [undefined, 'timeout'],
      ] as const) {
        const { engine } = await withResponses(() => written, { timeLimitMs: written ? 60_000 : 300 });
        expect(await faultOf(perform(engine, act))).toContain(`the request to fal.ai failed: ${message}`);
      }
      expect(other.asked).toEqual([]);
      const nowhere = adapterTo({ queueUrl: await deadUrl(), jwksUrl: 'http://127.0.0.1:1' });
      expect(await faultOf(perform(nowhere, act))).toContain('ECONNREFUSED');
    },
  );

  it.each(acts)(
    'reports an error of “%s” without fal.ai’s text, the key, the input or the callback URL',
    async (act) => {
      const words = 'your key key-secret and prompt a lighthouse, says the provider';
      const responses: (Written | undefined)[] = [
        { status: 500, body: words },
        { status: 429, body: { detail: words, error_type: words } },
        {
          status: 503,
          body: { detail: [{ type: words, msg: words }] },
          headers: { 'X-Fal-Error-Type': 'says-the-provider' },
        },
        { status: 302, body: words, headers: { Location: 'http://127.0.0.1:1/says-the-provider' } },
        undefined,
      ];
      for (const written of responses) {
        const { engine } = await withResponses(() => written, { timeLimitMs: 300 });
        expect(await faultOf(perform(engine, act))).not.toMatch(/key-secret|lighthouse|says-? ?the|secret-address/);
      }
    },
  );

  it.each(acts)(
    'in the operation “%s” rejects a key that is not a valid header value, without quoting it',
    async (act) => {
      for (const key of ['key-id:sec\nret-part', 'key-id:secret-part✓', 'key\0secret-part']) {
        const { asked, engine } = await withResponses(() => completed, { key: async () => key });
        const fault = await faultOf(perform(engine, act));
        expect(fault).toContain('the fal.ai key contains characters');
        expect(fault).not.toMatch(/ret-part|key-id/);
        expect(asked).toEqual([]);
      }
    },
  );

  it('reads the key again for each request to fal.ai', async () => {
    const keys = ['first:key', 'second:key'];
    const { asked, engine } = await withResponses(() => ({ status: 200, body: { status: 'IN_QUEUE' } }), {
      key: async () => keys.shift() ?? falKey,
    });
    await engine.check(referenceTo());
    await engine.check(referenceTo());
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Key first:key', 'Key second:key']);
  });
});
