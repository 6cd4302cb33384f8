/** Where everything stands on the contact sheet: rows of cards, as high as lets their pictures fill the width. */
import type { Tile } from './sheet-tile.ts';

export interface Card {
  readonly title: string;
  /** Below the title, on a line or two. */
  readonly note: string;
  readonly tiles: readonly Tile[];
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedCard {
  readonly card: Card;
  readonly box: Box;
  /** Of the tiles, in their order. */
  readonly boxes: readonly Box[];
}

export const pageWidth = 1600;
export const margin = 48;
export const padding = 22;
/** Of the letters of a note. */
export const noteSize = 15;
const noteLineHeight = 20;
/** From a card's upper edge to its pictures: title, and a note of one line. */
const headHeight = 84;
const captionHeight = 38;
export const arrowGap = 44;
/** Of pictures: a row that lacks some does not make the others enormous. */
const mostHeight = 400;
const tileGap = 12;
const cardGap = 22;

const gapsOf = ({ tiles }: Card): readonly number[] =>
  tiles.map(({ isResult }, index) => (index === 0 ? 0 : isResult ? arrowGap : tileGap));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

interface RowSize {
  /** Of the pictures. */
  readonly height: number;
  readonly head: number;
}

/** As wide as letters are taken to be when a text is cut. */
const needsTwoLines = (card: Card, aspects: readonly number[], height: number): boolean =>
  card.note.length * noteSize * 0.56 > sum(aspects) * height + sum(gapsOf(card));

/** On whole pixels, its edges each where the nearest one is: so the errors do not add up. */
const rounded = ({ left, top, width, height }: Box): Box => {
  const [x, y] = [Math.round(left), Math.round(top)];
  return { left: x, top: y, width: Math.round(left + width) - x, height: Math.round(top + height) - y };
};

/** Tiles side by side in a card, whose pictures have one height. */
function placeCard(card: Card, aspects: readonly number[], left: number, top: number, rowSize: RowSize): PlacedCard {
  const { height, head } = rowSize;
  const boxes: Box[] = [];
  let right = left + padding;
  for (const [index, gap] of gapsOf(card).entries()) {
    const width = (aspects[index] ?? 1) * height;
    boxes.push(rounded({ left: right + gap, top: top + head, width, height }));
    right += gap + width;
  }
  const box = { left, top, width: right + padding - left, height: head + height + captionHeight };
  return { card, box: rounded(box), boxes };
}

/** A row from one margin to the other; `aspects` are those of each card's tiles. */
export function placeRow(
  cards: readonly Card[],
  aspects: readonly (readonly number[])[],
  top: number,
): readonly PlacedCard[] {
  const gaps = sum(cards.flatMap(gapsOf)) + (cards.length - 1) * cardGap + cards.length * 2 * padding;
  const height = Math.min(mostHeight, (pageWidth - 2 * margin - gaps) / sum(aspects.flat()));
  const isTall = cards.some((card, index) => needsTwoLines(card, aspects[index] ?? [], height));
  const head = isTall ? headHeight + noteLineHeight : headHeight;
  const placed: PlacedCard[] = [];
  let left = margin;
  for (const [index, card] of cards.entries()) {
    const one = placeCard(card, aspects[index] ?? [], left, top, { height, head });
    placed.push(one);
    left += one.box.width + cardGap;
  }
  return placed;
}

/** Where the next row begins. */
export const below = (row: readonly PlacedCard[]): number =>
  Math.max(...row.map(({ box }) => box.top + box.height)) + cardGap;
