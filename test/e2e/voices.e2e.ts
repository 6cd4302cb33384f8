/** The changed voice of a recording: it is decoded, and compared with what was requested. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decode, melody } from '../offline-engine/speech/sound.ts';
import { type ImageHost, imageHost } from '../support/image-host.ts';
import { type BackEnd, newBackEnd } from './back-end.ts';
import { isCapable } from './target.ts';

let ana: BackEnd;
let host: ImageHost;
let recording: Buffer;

const download = async (url: string | undefined) => Buffer.from(await (await fetch(url ?? '')).arrayBuffer());

/** Voices are changed without keys, and inputs can be downloaded from this machine. */
const works = isCapable('offline-engine', 'local-webhooks');

beforeAll(async () => {
  [ana, host] = await Promise.all([
    newBackEnd(1000, 'pro'),
    imageHost({ 'recording.mp3': (response) => void response.end(recording) }),
  ]);
});
afterAll(() => host.close());

test.runIf(works)(
  'a spoken line is changed to another voice at the price of its seconds',
  { timeout: 120_000 },
  async () => {
    const line = { text: 'Bom dia a todos, o vídeo ficou pronto.', voice: 'brian' };
    const spoken = await ana.ended((await ana.api.generateVoice({ body: line })).data.taskId, 60_000);
    recording = await download(spoken.resultUrl);
    const before = await decode(recording);

    const body = { audioUrl: host.url('recording.mp3'), voice: 'jessica', stability: 0.5, removeNoise: true };
    const task = await ana.ended((await ana.api.changeVoice({ body })).data.taskId, 60_000);
    expect(task).toMatchObject({ status: 'completed', creditsUsed: 2, creditsRefunded: 0, taskType: 'voice-change' });
    const file = await download(task.resultUrl);
    expect(task.results).toMatchObject([{ contentType: 'audio/mpeg', bytes: file.length }]);
    const after = await decode(file);
    expect(Math.abs(after.seconds - before.seconds)).toBeLessThanOrEqual(0.1);
    expect(melody(after).medianHz).toBeGreaterThan(1.5 * melody(before).medianHz);
  },
);
