/** The frames of an advertisement: its mode's scene, and above it title, captions, call to action and label. */
import sharp from 'sharp';
import { labelLayer, labelSize } from '../image/text-layer.ts';
import { captionCues, captions } from '../video/captions.ts';
import { framesPerSecond } from '../video/encode-video.ts';
import { type Frame, layerOf, paintLayer } from '../video/frame.ts';
import { callToAction } from './call-to-action.ts';
import { type Hook, hookTitle } from './hook-title.ts';
import type { Mode } from './mode.ts';
import type { Stage } from './stage.ts';

export interface Advert {
  readonly stage: Stage;
  readonly mode: Mode;
  readonly hook: Hook | undefined;
  /** The name of the product. */
  readonly title: string;
  /** What is said, and when. */
  readonly line: { readonly text: string; readonly startSeconds: number; readonly seconds: number } | undefined;
}

const captionStyle = ({ size, unit, isWide }: Stage) => ({
  size: (0.066 * unit) / size.width,
  color: '#ffffff',
  box: '#101014c8',
  middle: isWide ? 0.7 : 0.745,
});

export async function advertScene({
  stage,
  mode,
  hook,
  title,
  line,
}: Advert): Promise<(frame: Frame, index: number) => void> {
  const label = await labelLayer('sandbox video', labelSize(stage.size));
  const mark = await layerOf(sharp(label.png), 0.022 * stage.unit, 0.022 * stage.unit);
  const cues = line ? captionCues(line.text, line.startSeconds, line.seconds) : [];
  const layers = await Promise.all([
    mode.prepare(stage),
    hook ? hookTitle(hook, mode, stage) : () => undefined,
    captions(cues, captionStyle(stage), stage.size),
    callToAction(title, mode, stage),
  ]);
  return (frame, index) => {
    for (const paint of layers) paint(frame, index / framesPerSecond);
    paintLayer(frame, mark);
  };
}
