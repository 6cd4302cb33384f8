/**
 * `npm run clips`: makes a long video with known scenes and silences, has the offline engine cut it, checks every clip to
 * the frame, measures the memory of every process, and saves the clips and a contact sheet to look at.
 */
import { once } from 'node:events';
import { createReadStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { listen } from '../../../fakes/listen.ts';
import { offlineWorker } from '../../../fakes/offline-worker.ts';
import { startOfflineEngine } from '../../../offline-engine/offline-engine.ts';
import { clipAspectRatios, clipCountOf } from '../../../shared/contracts/generate-cortes.ts';
import { videoFrame } from '../../../shared/contracts/video-frame.ts';
import type { EngineOutput } from '../../../shared/engines/engine.ts';
import { type CutClip, problemsOfClips } from './clip-checks.ts';
import { contactSheet } from './contact-sheet.ts';
import { frameNumbers, type MadeSource, makeSource, type SourceOrder } from './made-source.ts';
import { watchMemory } from './peak-memory.ts';

const options = {
  seconds: { type: 'string', default: '600' },
  repeats: { type: 'string', default: '1' },
  rate: { type: 'string', default: '30000/1001' },
  variable: { type: 'boolean', default: false },
  kbps: { type: 'string' },
  ratio: { type: 'string', default: '16:9' },
  out: { type: 'string', default: 'build/clips' },
} as const;

const { values } = parseArgs({ options });
const order: SourceOrder = {
  partSeconds: Number(values.seconds),
  repeats: Number(values.repeats),
  rate: values.rate,
  isVariable: values.variable,
  kilobitsPerSecond: values.kbps === undefined ? undefined : Number(values.kbps),
};
const aspectRatio = clipAspectRatios.find((ratio) => ratio === values.ratio);
if (!aspectRatio) throw new Error(`--ratio must be one of ${clipAspectRatios.join(', ')}`);
const wantedSize = videoFrame('720p', aspectRatio);
const out = resolve(values.out);
const key = 'key-of-the-offline-engine';

async function serve(source: MadeSource) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': source.bytes });
    pipeline(createReadStream(source.path), response).catch(() => response.destroy());
  });
  return { server, url: `http://127.0.0.1:${await listen(server, 0)}/source.mp4` };
}

/** The clips, best first, and the peak memory of each process that cut them. */
async function cut(source: MadeSource) {
  const engine = await startOfflineEngine({ key, filesDir: join(out, 'engine'), latencyMs: 0, failure: 'none' });
  const { server, url } = await serve(source);
  const memory = watchMemory();
  try {
    const worker = offlineWorker({ url: engine.url, key });
    const [seconds, clipCount] = [Math.floor(source.seconds), clipCountOf(source.seconds)];
    const input = { videoUrl: url, aspectRatio, seconds, clipCount };
    const outcome = await worker.perform({ operation: 'cortes', input }, new AbortController().signal);
    if (outcome.status !== 'done') throw new Error(JSON.stringify(outcome));
    const peaks = memory.stop();
    const files: { readonly path: string; readonly output: EngineOutput }[] = [];
    for (const [index, output] of outcome.outputs.entries()) {
      const path = join(out, `clip-${String(index + 1).padStart(2, '0')}.mp4`);
      writeFileSync(path, await worker.read(output));
      files.push({ path, output });
    }
    return { files, peaks };
  } finally {
    memory.stop();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await Promise.all([closed, engine.close()]);
  }
}

/** In a repeated part the frames' numbers begin again. */
const numbered = (
  frames: readonly number[],
  { startTime = 0 }: NonNullable<EngineOutput['clip']>,
  source: MadeSource,
) => {
  const perPart = Math.round(order.partSeconds * source.framesPerSecond);
  let part = Math.floor((startTime + 0.002) / (perPart / source.framesPerSecond));
  return frames.map((frame, index) => {
    if (frame < (frames[index - 1] ?? 0)) part += 1;
    return part * perPart + frame;
  });
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const begun = performance.now();
const source = await makeSource(out, order);
const made = performance.now();
const { files, peaks } = await cut(source);
const ended = performance.now();
const clips: CutClip[] = [];
for (const { path, output } of files) {
  const { width = 0, height = 0, clip = {} } = output;
  const { startTime = 0, endTime = 0 } = clip;
  const frames =
    aspectRatio === '16:9' ? numbered(await frameNumbers(path, { width, height }), clip, source) : undefined;
  clips.push({ startTime, endTime, width, height, ...(frames && { frames }) });
}
const seen = files.map(({ path, output }) => ({ path, durationSec: output.durationSec ?? 0 }));
writeFileSync(join(out, 'contact-sheet.png'), await contactSheet(seen));
const wanted = { count: clipCountOf(source.seconds), ...wantedSize };
const problems = problemsOfClips(clips, wanted, source);
const report = {
  source: { ...order, bytes: source.bytes, seconds: source.seconds, scenes: source.scenes.length + 1 },
  clips: clips.map(({ startTime, endTime, frames }) => ({ startTime, endTime, frames: frames?.length })),
  secondsTaken: { making: Math.round((made - begun) / 1000), cutting: Math.round((ended - made) / 1000) },
  peakMebibytes: peaks,
  problems,
};
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
