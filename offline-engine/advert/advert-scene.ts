/**
 * Paints an advertisement's frames: the scene of its mode, with the title, captions, call to action and label above it.
 */
import sharp from 'sharp';
import { labelLayer, labelSize } from '../image/text-layer.ts';
import { captionCues } from '../video/captions.ts';
import { framesPerSecond } from '../video/encode-video.ts';
import type { Frame } from '../video/frame.ts';
import { callToAction } from './call-to-action.ts';
import { type Hook, hookTitle } from './hook-title.ts';
import { type LetteredAt, paintLettered } from './lettered.ts';
import { lettering, paperOverImages } from './lettering.ts';
import type { Mode } from './mode.ts';
import { between, easedBoth, passed } from './motion.ts';
import { spriteOf } from './sprite.ts';
import type { Stage } from './stage.ts';

export interface Advert {
  readonly stage: Stage;
  readonly mode: Mode;
  readonly hook: Hook | undefined;
  /** The name of the product. */
  readonly title: string;
  /** The spoken line and when it begins. */
  readonly line: { readonly text: string; readonly startSeconds: number; readonly seconds: number } | undefined;
}

/** The engine's mark in the lower left corner. */
async function mark({ size, unit }: Stage): Promise<LetteredAt> {
  const label = await labelLayer('sandbox video', labelSize(size));
  const sprite = await spriteOf(sharp(label.png));
  const margin = 0.022 * unit;
  const place = { x: margin + sprite.width / 2, y: size.height - margin - sprite.height / 2 };
  return () => [{ sprite, place }];
}

/** Captions of the speech: above a title at the bottom, and at the end above the call to action. */
async function spokenWords(
  { line, mode, stage }: Pick<Advert, 'line' | 'mode' | 'stage'>,
  endTop: number,
): Promise<LetteredAt> {
  const { size, unit, isWide, endFrom } = stage;
  const cues = line ? captionCues(line.text, line.startSeconds, line.seconds) : [];
  const usual = (mode.hasTitleBelow ? 0.52 : isWide ? 0.78 : 0.745) * size.height;
  const words = await Promise.all(
    cues.map(async (cue) => {
      const text = { text: cue.text, size: 0.06 * unit, width: 0.86 * size.width, lines: 2, paper: paperOverImages };
      return { cue, sprite: await lettering(text) };
    }),
  );
  return (seconds) =>
    words.flatMap(({ cue, sprite }) => {
      if (!sprite || seconds < cue.startSeconds || seconds >= cue.endSeconds) return [];
      const raised = Math.min(usual, endTop - 0.02 * unit - sprite.height / 2);
      const y = between(usual, raised, easedBoth(passed(seconds, endFrom - 0.3, 0.3)));
      return [{ sprite, place: { x: size.width / 2, y } }];
    });
}

/** Paints all texts of an advertisement so that none hides another. */
export async function advertTexts({ stage, mode, hook, title, line }: Advert): Promise<readonly LetteredAt[]> {
  const end = await callToAction(title, mode, stage);
  const [own, opening, words, label] = await Promise.all([
    mode.letter?.(stage),
    hook && hookTitle(hook, mode, stage),
    spokenWords({ line, mode, stage }, end.top),
    mark(stage),
  ]);
  return [own, opening, words, end.lettered, label].filter((lettered) => lettered !== undefined);
}

export async function advertScene(advert: Advert): Promise<(frame: Frame, index: number) => void> {
  const [paintScene, texts] = await Promise.all([advert.mode.prepare(advert.stage), advertTexts(advert)]);
  return (frame, index) => {
    const seconds = index / framesPerSecond;
    paintScene(frame, seconds);
    for (const lettered of texts) paintLettered(frame, lettered(seconds));
  };
}
