/** The picture of test mode: the word TEST in large letters, on a grid of any size. */

const letters = [
  '##### #####  #### #####',
  '  #   #     #       #  ',
  '  #   #     #       #  ',
  '  #   ####   ###    #  ',
  '  #   #         #   #  ',
  '  #   #         #   #  ',
  '  #   ##### ####    #  ',
] as const;

const columns = letters[0].length;
const rows = letters.length;

/** The largest share of the grid's width and height that the word takes. */
const widest = 0.9;
const highest = 0.6;

export interface Grid {
  readonly width: number;
  readonly height: number;
}

interface Word {
  /** Whether a cell of the grid belongs to the word. */
  readonly covers: (x: number, y: number) => boolean;
  /** The line of the letters that a row of cells shows, negative or too large above and below the word. */
  readonly lineAt: (y: number) => number;
}

/** Places the word on a grid: centered, and as large as it fits. */
export function wordOn({ width, height }: Grid): Word {
  const fitting = Math.min((width * widest) / columns, (height * highest) / rows);
  const scale = Math.max(1, Math.floor(fitting));
  const left = Math.floor((width - columns * scale) / 2);
  const top = Math.floor((height - rows * scale) / 2);
  const lineAt = (y: number) => Math.floor((y - top) / scale);
  return { lineAt, covers: (x, y) => letters[lineAt(y)]?.[Math.floor((x - left) / scale)] === '#' };
}
