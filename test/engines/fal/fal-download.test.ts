import { afterEach, describe, expect, it } from 'vitest';
import type { EngineOutput } from '../../../shared/engines/engine.ts';
import { safeFetch } from '../../../shared/platform/safe-fetch.ts';
import { closeAll, deadUrl, faultOf, type Written, withAnswers } from './fal-subject.ts';

afterEach(closeAll);

describe('a download', () => {
  const download = async (written: Written, contentType = 'application/octet-stream') => {
    const { asked, engine, url } = await withAnswers(() => written);
    const output: EngineOutput = { url: `${url}/files/a`, contentType };
    const got = await engine.download(output);
    return {
      asked,
      contentType: got.contentType,
      text: Buffer.concat(await Array.fromAsync(got.body)).toString('utf8'),
    };
  };

  it('gives the bytes, without showing the key to the storage', async () => {
    const { asked, text } = await download({ status: 200, body: 'content' });
    expect(text).toBe('content');
    expect(asked).toMatchObject([{ method: 'GET', path: '/files/a' }]);
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['GIF89a', 'image/gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
    ['\0\0\0\x18ftypisom', 'video/mp4'],
    ['ID3\x04', 'audio/mpeg'],
  ])('tells by the first bytes %j that it is %s, whatever the storage says', async (body, type) => {
    expect(await download({ status: 200, body }, 'image/png')).toMatchObject({ contentType: type });
  });

  it('believes the storage, then the model, about a file whose first bytes say nothing', async () => {
    const html = { 'Content-Type': 'text/html; charset=utf-8' };
    expect(await download({ status: 200, body: 'x', headers: html })).toMatchObject({ contentType: 'text/html' });
    const silent = { 'Content-Type': 'application/octet-stream' };
    expect(await download({ status: 200, body: 'x', headers: silent }, 'image/webp')).toMatchObject({
      contentType: 'image/webp',
    });
  });

  it('of what is not there is a fault', async () => {
    expect(await faultOf(download({ status: 404, body: '' }))).toContain('answered 404 to a download');
  });

  it('takes 160 MB, and gives what is larger as an empty file: fetching it again would not help', async () => {
    const limit = 160 * 2 ** 20;
    const lengthOf = async (length: number) => {
      const { engine, url } = await withAnswers(() => ({ status: 200, body: 'x'.repeat(length) }));
      const { body } = await engine.download({ url: `${url}/files/a`, contentType: 'image/png' });
      const parts = await Array.fromAsync(body);
      return parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
    };
    expect(await lengthOf(limit)).toBe(limit);
    expect(await lengthOf(limit + 1)).toBe(0);
  });

  it('that the storage does not answer stays a fault that may pass', async () => {
    const { engine } = await withAnswers(() => undefined);
    const url = `${await deadUrl()}/a`;
    expect(await faultOf(engine.download({ url, contentType: 'image/png' }))).toContain('OutboundFailed');
  });

  it('goes to no address of this machine where only public ones are admitted', async () => {
    const { asked, engine, url } = await withAnswers(() => ({ status: 200, body: 'x' }), {
      outbound: { fetch: safeFetch({ policy: 'public' }) },
    });
    expect(await faultOf(engine.download({ url: `${url}/a`, contentType: 'image/png' }))).toContain('not allowed');
    expect(asked).toEqual([]);
  });
});
