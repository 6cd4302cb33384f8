/** The contact sheet: one picture with everything that was given and everything that was made of it. */
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { prepareFonts } from '../../offline-engine/image/fonts.ts';
import { at, textLayer } from '../../offline-engine/image/text-layer.ts';
import type { Demo } from '../demo.ts';
import { type SavedFile, shownPath } from '../steps/save-results.ts';
import { sheetCards } from './sheet-cards.ts';
import {
  arrowGap,
  type Box,
  below,
  type Card,
  margin,
  noteSize,
  type PlacedCard,
  padding,
  pageWidth,
  placeRow,
} from './sheet-layout.ts';
import { aspectOf, paintTile } from './sheet-tile.ts';

export const contactSheetName = 'contact-sheet.png';

const headHeight = 150;
const paper = '#f1efea';
const ink = '#1b1b22';
const faintInk = '#6c6c78';

const headline = 'Seven operations on pictures';
const explanation = 'On the left what was given, behind the arrow what the offline engine made of it.';

type TextOptions = Parameters<typeof textLayer>[0];

async function text(left: number, top: number, options: TextOptions): Promise<readonly OverlayOptions[]> {
  const layer = await textLayer({ colour: ink, ...options });
  return layer ? [at(layer, left, top)] : [];
}

async function placeRows(rows: readonly (readonly Card[])[]): Promise<readonly PlacedCard[]> {
  const placed: PlacedCard[] = [];
  let top = headHeight;
  for (const cards of rows) {
    const aspects = await Promise.all(cards.map(({ tiles }) => Promise.all(tiles.map(aspectOf))));
    const row = placeRow(cards, aspects, top);
    placed.push(...row);
    top = below(row);
  }
  return placed;
}

const arrow = ({ left, top, height }: Box): string => {
  const [x, y] = [left - arrowGap / 2, top + height / 2];
  return `<path d="M${x - 11} ${y}h20m-8 -8l8 8l-8 8" fill="none" stroke="${faintInk}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>`;
};

const shapesOf = ({ card, box, boxes }: PlacedCard): string => {
  const { left, top, width, height } = box;
  const arrows = boxes.filter((_, index) => index > 0 && card.tiles[index]?.isResult).map(arrow);
  return `<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="14" fill="#fff" stroke="#e2dfd7"/>${arrows.join('')}`;
};

const page = (cards: readonly PlacedCard[], height: number): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pageWidth}" height="${height}"><rect width="100%" height="100%" fill="${paper}"/>${cards.map(shapesOf).join('')}</svg>`,
  );

async function layersOf({ card, box, boxes }: PlacedCard): Promise<readonly OverlayOptions[]> {
  const [left, width] = [box.left + padding, box.width - 2 * padding];
  const layers = [
    ...(await text(left, box.top + 18, { text: card.title, size: 24, weight: 'semibold', width })),
    ...(await text(left, box.top + 52, { text: card.note, size: noteSize, lines: 2, width, colour: faintInk })),
  ];
  for (const [index, tile] of card.tiles.entries()) {
    const place = boxes[index];
    if (!place) continue;
    layers.push({ input: await paintTile(tile, place), left: place.left, top: place.top });
    const caption = { text: tile.caption, size: 14, width: place.width, colour: faintInk };
    layers.push(...(await text(place.left, place.top + place.height + 9, caption)));
  }
  return layers;
}

export async function composeContactSheet(
  { outDir, workDir, screen }: Demo,
  saved: readonly SavedFile[],
): Promise<void> {
  const cards = await placeRows(await sheetCards(saved));
  if (cards.length === 0) return screen.line(`${contactSheetName}  none: nothing was made`);
  await prepareFonts(workDir);
  const height = Math.max(...cards.map(({ box }) => box.top + box.height)) + margin;
  const layers = [
    ...(await text(margin, 44, { text: headline, size: 38, weight: 'semibold', width: pageWidth - 2 * margin })),
    ...(await text(margin, 100, { text: explanation, size: 18, width: pageWidth - 2 * margin, colour: faintInk })),
  ];
  for (const card of cards) layers.push(...(await layersOf(card)));
  const path = join(outDir, contactSheetName);
  await sharp(page(cards, height)).composite(layers).removeAlpha().png().toFile(path);
  screen.line(shownPath(path));
}
