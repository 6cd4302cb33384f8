/** The fake's models that work on videos: their defaults and what they reject. Clips are tested with the adapter. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { falVideoUtilities } from '../../../fakes/fal/fal-video-utilities.ts';
import { closeAll } from '../../engines/fal/fal-subject.ts';
import { type ImageHost, imageHost } from '../../support/image-host.ts';
import { numberedFrames, numberedVideo } from '../../support/numbered-video.ts';
import { startFake } from './fake-subject.ts';

let host: ImageHost;
let videoUrl = '';
beforeAll(async () => {
  const source = await numberedVideo('10', 4);
  host = await imageHost({ 'source.mp4': (response) => response.end(source) });
  videoUrl = host.url('source.mp4');
});
afterAll(() => host.close());
afterEach(closeAll);

const [trim = '', scale = '', extract = ''] = Object.keys(falVideoUtilities);

interface File {
  readonly url: string;
}
type Result = Readonly<Record<string, unknown>> & {
  readonly video?: File;
  readonly images?: readonly File[];
  readonly detail?: readonly { readonly type: string }[];
};

const run = async (model: string, input: object) => {
  const { submit, result } = await startFake();
  const response = await result(await submit({ video_url: videoUrl, ...input }, { model }));
  const body = (await response.json()) as Result;
  const url = (body.video ?? body.images?.[0])?.url;
  const file = url === undefined ? Buffer.alloc(0) : Buffer.from(await (await fetch(url)).arrayBuffer());
  return { status: response.status, body, frames: file.length > 0 ? await numberedFrames(file) : [] };
};

test.for([
  [trim, {}, { original_duration: 4, trimmed_duration: 2 }, { first: 10, count: 20 }],
  [trim, { start_time: 3.5 }, { trimmed_duration: 0.5 }, { first: 35, count: 5 }],
  [trim, { start_time: 0, end_time: 0.5, duration: 3 }, { trimmed_duration: 0.5 }, { first: 0, count: 5 }],
  [scale, { width: 160 }, { original_width: 320, scaled_width: 160, scaled_height: 90 }, { first: 0, count: 40 }],
  [scale, { width: 90, height: 90, mode: 'pad' }, { scaled_width: 90, scaled_height: 90 }, { count: 40 }],
  [scale, { width: 90, height: 90 }, { scaled_width: 90, scaled_height: 90 }, { first: 0, count: 40 }],
  [extract, {}, {}, { first: 0, count: 1 }],
  [extract, { frame_type: 'last' }, {}, { first: 39, count: 1 }],
] as const)('the fal.ai fake’s %s with %j returns %j and the frames %j', async ([model, input, said, shown]) => {
  const { status, body, frames } = await run(model, input);
  expect([status, body]).toMatchObject([200, said]);
  expect({ first: frames[0]?.number, count: frames.length }).toMatchObject(shown);
});

test.for([
  [trim, { video_url: undefined }, 'missing'],
  [trim, { start_time: -1 }, 'greater_than'],
  [scale, {}, 'value_error'],
  [scale, { width: 91 }, 'value_error'],
  [scale, { width: 90, mode: 'fill' }, 'one_of'],
  [extract, { frame_type: 'every' }, 'one_of'],
] as const)('the fal.ai fake’s %s rejects %j with %s', async ([model, input, type]) => {
  const { status, body } = await run(model, input);
  expect([status, body.detail]).toEqual([422, [expect.objectContaining({ type })]]);
});
