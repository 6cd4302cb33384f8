/** What is on the contact sheet: a card for each operation, with what was given and what was made of it. */
import type { SavedFile } from '../steps/save-results.ts';
import { fileNamesOf, type PictureOperation, samplesOf, wordsOf } from './picture-requests.ts';
import { readSample } from './sample-server.ts';
import type { Card } from './sheet-layout.ts';
import type { Region, Tile } from './sheet-tile.ts';

/** Side by side, from above to below. */
const rows: readonly (readonly PictureOperation[])[] = [
  ['image', 'influencer'],
  ['skin-enhance'],
  ['image-upscale'],
  ['image-edit', 'background-remove'],
  ['character-replace'],
];

/** What is looked at closely, before and after: a cheek, an eye. */
const details: Readonly<Partial<Record<PictureOperation, Region>>> = {
  'skin-enhance': { left: 0.36, top: 0.18, width: 0.17, height: 0.17 },
  'image-upscale': { left: 0.32, top: 0.27, width: 0.16, height: 0.24 },
};

/** With a detail: the whole before and after, then the detail before and after. */
const closely = (given: Tile, made: readonly Tile[], detail: Region): readonly Tile[] => {
  const close = (tile: Tile): Tile => ({ ...tile, crop: detail, caption: `${tile.caption}, detail` });
  return [
    { ...given, frame: detail },
    ...made.map((tile) => ({ ...tile, frame: detail })),
    close(given),
    ...made.map(close),
  ];
};

async function cardOf(operation: PictureOperation, saved: readonly SavedFile[]): Promise<Card> {
  const given = await Promise.all(
    samplesOf(operation).map(async (name): Promise<Tile> => ({ caption: name, file: await readSample(name) })),
  );
  const own = fileNamesOf[operation];
  const made = saved
    .filter(({ fileName }) => own.includes(fileName))
    .map(({ fileName, bytes }, index): Tile => ({ caption: fileName, file: bytes, isResult: index === 0 }));
  const [first] = given;
  const detail = details[operation];
  const tiles = first && detail ? closely(first, made, detail) : [...given, ...made];
  return { title: operation, note: wordsOf(operation), tiles };
}

/** An operation that made nothing is left out, and a row without cards. */
export async function sheetCards(saved: readonly SavedFile[]): Promise<readonly (readonly Card[])[]> {
  const cards = await Promise.all(rows.map((row) => Promise.all(row.map((operation) => cardOf(operation, saved)))));
  return cards
    .map((row) => row.filter(({ tiles }) => tiles.some(({ isResult }) => isResult)))
    .filter((row) => row.length > 0);
}
