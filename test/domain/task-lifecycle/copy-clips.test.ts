import { describe, expect, test } from 'vitest';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import type { EngineDownload, EngineOutput } from '../../../shared/engines/engine.ts';
import { tinyMp4 } from '../../support/tiny-video.ts';
import { copied, file, output, task } from './copied-results.ts';

describe('copying the clips of a video:', () => {
  const size = { width: 72, height: 128 };
  const clip = (name: string, seconds = 2): EngineOutput => ({
    ...output,
    url: name,
    clip: { title: name, startTime: 10, endTime: 10 + seconds },
  });
  const clips = (clipCount: number): Task => ({
    ...task('cortes'),
    derived: { clipCount, seconds: 60 },
    promise: size,
  });
  const unavailable = (): EngineDownload => expect.fail('the file is not available');
  /** Copies as many clips as were paid for; `first` downloads the first of them. */
  const copiedWith = async (first: () => EngineDownload, outputs: readonly EngineOutput[]) => {
    const video = await tinyMp4(2, size);
    const download = ({ url }: EngineOutput) => (url === 'first' ? first() : file([video]).download());
    return copied(clips(outputs.length), download, {}, outputs);
  };
  const three = ['second', 'third', 'fourth'].map((name) => clip(name));

  test.for<[string, () => EngineDownload]>([
    ['cannot be downloaded', unavailable],
    ['breaks off', () => file([Buffer.alloc(9)], { end: new Error('broken') }).download()],
    ['is an HTML page', () => file([Buffer.from('<!doctype html>')]).download()],
  ])('a clip that %s is left out if at least three other clips remain', async ([, first]) => {
    const { results } = await copiedWith(first, [clip('first'), ...three]);
    expect(results?.map((result) => result.clip?.title)).toEqual(['second', 'third', 'fourth']);
  });

  test('a clip whose download fails once keeps its place when the retry succeeds', async () => {
    const video = await tinyMp4(2, size);
    const downloads = [unavailable, file([video]).download];
    const { results } = await copiedWith(() => downloads.shift()?.() ?? unavailable(), [clip('first'), ...three]);
    expect(results?.map((result) => result.clip?.title)).toEqual(['first', 'second', 'third', 'fourth']);
  });

  test('a clip that cannot be downloaded counts as an engine fault if the task has only three clips', async () => {
    await expect(copiedWith(unavailable, [clip('first'), ...three.slice(1)])).rejects.toMatchObject({
      name: 'EngineFault',
    });
  });

  test('a clip that is longer or shorter than its part of the video is left out if at least three other clips remain', async () => {
    const outputs = [clip('second', 2.6), clip('third', 1.4), clip('fourth', 2.4), clip('fifth', 1.6), clip('sixth')];
    const { results } = await copiedWith(unavailable, outputs);
    expect(results?.map((result) => result.clip?.title)).toEqual(['fourth', 'fifth', 'sixth']);
    expect((await copiedWith(unavailable, outputs.slice(0, -1))).results).toBeUndefined();
  });
});
