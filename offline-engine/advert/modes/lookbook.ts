/** `provador`: the pages of a fashion editorial, which turn on the beat. */
import type { Frame } from '../../video/frame.ts';
import { type Mode, paintBackdrop, scaleFor } from '../mode.ts';
import { between, easedOut, passed } from '../motion.ts';
import { drawnSprite, paintSprite, type Sprite } from '../sprite.ts';

const papers = ['#f3d9cf', '#c9d8d0', '#e7dcc3', '#d6cfe4'] as const;

interface Panel {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Poses: the size of the figure relative to the panel, and the distance of its head from the panel's upper edge. */
const poses = [
  { zoom: 1, top: 0.06 },
  { zoom: 1.5, top: 0.05 },
  { zoom: 1.2, top: 0.09 },
  { zoom: 1.7, top: 0.04 },
  { zoom: 1.1, top: 0.1 },
] as const;

const panelsFor = (width: number, height: number, isWide: boolean): readonly [Panel, Panel, Panel] => {
  const gap = 0.014 * Math.min(width, height);
  const inner = (left: number, top: number, right: number, bottom: number): Panel => ({
    left: left * width + gap,
    top: top * height + gap,
    right: right * width - gap,
    bottom: bottom * height - gap,
  });
  const bottom = isWide ? 0.66 : 0.8;
  if (width >= 1.4 * height) {
    return [inner(0.12, 0.04, 0.42, bottom), inner(0.42, 0.04, 0.66, bottom), inner(0.66, 0.04, 0.88, bottom)];
  }
  const middle = (0.05 + bottom) / 2;
  return [inner(0.06, 0.05, 0.53, bottom), inner(0.53, 0.05, 0.94, middle), inner(0.53, middle, 0.94, bottom)];
};

/** Paints the avatar in a panel; `share` is how much of the page's time has passed. */
const paintFigure = (frame: Frame, figure: Sprite, panel: Panel, pose: number, share: number): void => {
  const { zoom, top } = poses[pose % poses.length] ?? poses[0];
  const [across, down] = [panel.right - panel.left, panel.bottom - panel.top];
  const cover = Math.max(across / figure.width, (0.92 * down) / figure.height);
  const scale = 0.82 * cover * zoom * between(1, 1.05, share);
  const half = (figure.height * scale) / 2;
  const stands = zoom < 1.2 && 2 * half < (1 - top) * down;
  const y = stands ? panel.bottom - half : panel.top + top * down + half;
  paintSprite(frame, figure, { x: (panel.left + panel.right) / 2, y, scale, clip: panel });
};

export const lookbook: Mode = {
  accent: '#141414',
  ink: '#ffffff',
  hasTitleBelow: true,
  async prepare(stage) {
    const { size, seconds: total, isWide, product, avatar } = stage;
    const { width, height } = size;
    const panels = panelsFor(width, height, isWide);
    const sheets = await Promise.all(
      panels.flatMap(({ left, right, top, bottom }) =>
        papers.map((fill) =>
          drawnSprite(right - left, bottom - top, `<rect width="100%" height="100%" fill="${fill}"/>`),
        ),
      ),
    );
    const pageSeconds = Math.max(1, total / 6);

    const paintPage = (frame: Frame, page: number, local: number) => {
      for (const [index, panel] of panels.entries()) {
        const slide = easedOut(passed(local, 0.12 * index, 0.4));
        const offset = (1 - slide) * (index % 2 === 0 ? 1 : -1) * height;
        const [x, y] = [(panel.left + panel.right) / 2, (panel.top + panel.bottom) / 2 + offset];
        const moved = {
          ...panel,
          top: Math.max(0, panel.top + offset),
          bottom: Math.min(height, panel.bottom + offset),
        };
        if (moved.bottom <= moved.top) continue;
        const sheet = sheets[index * papers.length + ((page + index) % papers.length)];
        if (sheet) paintSprite(frame, sheet, { x, y, isSoft: true });
        if (!avatar || index === 2 - (page % 2)) {
          const most = { width: 0.82 * (panel.right - panel.left), height: 0.7 * (panel.bottom - panel.top) };
          paintSprite(frame, product, { x, y, scale: scaleFor(product, most) * between(0.92, 1, slide), clip: moved });
        } else {
          paintFigure(frame, avatar.figure, moved, page + 2 * index, local / pageSeconds);
        }
      }
    };

    return (frame, seconds) => {
      paintBackdrop(frame, stage, { zoom: 1.02, x: -0.6 + (1.2 * seconds) / total });
      const page = Math.floor(seconds / pageSeconds);
      const local = seconds - page * pageSeconds;
      if (page > 0 && local < 0.7) paintPage(frame, page - 1, pageSeconds);
      paintPage(frame, page, page === 0 ? local + 0.64 : local);
    };
  },
};
