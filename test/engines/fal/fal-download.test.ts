import { afterEach, describe, expect, it } from 'vitest';
import type { EngineOutput } from '../../../shared/engines/engine.ts';
import { safeOpen } from '../../../shared/platform/safe-fetch.ts';
import { closeAll, deadUrl, faultOf, type Written, withResponses } from './fal-subject.ts';

afterEach(closeAll);

describe('a download from fal.ai', () => {
  const output = (url: string): EngineOutput => ({ url, contentType: 'image/png' });
  const download = async (written: Written) => {
    const { asked, engine, url } = await withResponses(() => written);
    const { body, bytes } = await engine.download(output(`${url}/files/a`));
    return { asked, bytes, text: Buffer.concat(await Array.fromAsync(body)).toString('utf8') };
  };

  it('streams the bytes with their declared length, without sending the key to the file host', async () => {
    const { asked, bytes, text } = await download({ status: 200, body: 'content', headers: { 'Content-Length': '7' } });
    expect([bytes, text]).toEqual([7, 'content']);
    expect(asked).toMatchObject([{ method: 'GET', path: '/files/a' }]);
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('has no length if none is declared', async () => {
    const { bytes, text } = await download({ status: 200, body: 'x', headers: { 'Transfer-Encoding': 'chunked' } });
    expect([bytes, text]).toEqual([undefined, 'x']);
  });

  it('of a missing file is an error', async () => {
    expect(await faultOf(download({ status: 404, body: '' }))).toContain('responded with 404 to a download');
  });

  it('without a response from the file host is a temporary error', async () => {
    const { engine } = await withResponses(() => undefined);
    expect(await faultOf(engine.download(output(`${await deadUrl()}/a`)))).toContain('OutboundFailed');
  });

  it('never requests a URL of this machine if only public URLs are allowed', async () => {
    const { asked, engine, url } = await withResponses(() => ({ status: 200, body: 'x' }), {
      outbound: { open: safeOpen({ policy: 'public' }) },
    });
    expect(await faultOf(engine.download(output(`${url}/a`)))).toContain('not allowed');
    expect(asked).toEqual([]);
  });
});
