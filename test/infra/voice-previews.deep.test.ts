/** The recordings of voices, made by the command for operators with the engine of the service. */
import { afterAll, describe, expect, it } from 'vitest';
import { type ReadableFile, readCredentials } from '../support/read-credentials.ts';
import { voiceSlugs } from '../support/specified-sets.ts';
import { startOperatedService } from './cli/operated-service.ts';

describe.each([
  { engine: 'the offline engine, which is polled', fake: undefined },
  { engine: 'ElevenLabs, which responds with the recording', fake: 'elevenlabs-fake' },
] as const)('with $engine,', async ({ fake }) => {
  const service = await startOperatedService({ fake });
  afterAll(() => service.close());

  const previewsOf = async (): Promise<readonly string[]> => {
    service.advance(30_000);
    const response = await fetch(`${service.url}/api/v1/voices`);
    const { data } = (await response.json()) as { data: { voices: { previewUrl: string }[] } };
    return data.voices.map(({ previewUrl }) => previewUrl);
  };

  it('every voice gets a recording of its own, which is made once', async () => {
    expect(await previewsOf()).toEqual(voiceSlugs.map(() => null));
    expect(await service.done('engine', 'preview-voices')).toEqual({ voices: voiceSlugs });
    const urls = await previewsOf();
    expect(new Set(urls).size).toBe(voiceSlugs.length);
    const recordings: ReadableFile[] = [];
    for (const url of urls) {
      const response = await fetch(url);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(bytes.length).toBeGreaterThan(1000);
      recordings.push({ bytes, contentType: 'audio/mpeg' });
    }
    for (const { state, actions } of await readCredentials(recordings)) {
      expect([state, actions.map(({ action }) => action)]).toEqual(['Valid', ['c2pa.created']]);
    }
    expect(await service.done('engine', 'preview-voices')).toEqual({ voices: [] });
  });

  // The offline engine, which speaks for seconds, would show nothing else.
  it.runIf(fake)('every recording is replaced on request', async () => {
    const urls = await previewsOf();
    expect(await service.done('engine', 'preview-voices', '--again')).toEqual({ voices: voiceSlugs });
    expect((await previewsOf()).filter((url) => urls.includes(url))).toEqual([]);
  });
});
