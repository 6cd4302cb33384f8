/** Uses only bundled fonts, so that images look the same on every machine. */
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unwrapWoff } from './woff.ts';

const files = new URL('files/', import.meta.resolve('@fontsource/inter/package.json'));
const subsets = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese'];
const weights = [400, 600];

/** Matches characters that the fonts lack and would show as empty boxes. */
const unprintable =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u0020-\u024f\u2010-\u2027\u2030-\u203a\u20a0-\u20bf\u2122]+/gu;

type Kind = readonly [name: string, letters: RegExp];

const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Arabic', 'Hebrew', 'Devanagari', 'Bengali', 'Tamil', 'Thai'];
const kinds: readonly Kind[] = [
  ...scripts.map((name): Kind => [name, new RegExp(`\\p{Script=${name}}`, 'u')]),
  ['emoji', /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u],
];
const otherKinds: readonly Kind[] = [
  ['other script', /\p{L}/u],
  ['symbol', /[^\p{M}\p{Cf}\p{Co}\p{Cn}\s]/u],
];

/** Replaces characters that the fonts lack by a visible name, such as "[Han]" or "[emoji]". */
const named = (letters: string): string => {
  const known = kinds.filter(([, ofKind]) => ofKind.test(letters));
  const found = known.length > 0 ? known : otherKinds.filter(([, ofKind]) => ofKind.test(letters)).slice(0, 1);
  return ` ${found.map(([name]) => `[${name}]`).join(' ')} `;
};

/** Reduces a text to a line of displayable characters; may be empty. */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/\ufffd/gu, ' ')
    .replace(unprintable, named)
    .replace(/\s+/gu, ' ')
    .trim();

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const truetype = async (name: string): Promise<Buffer> => unwrapWoff(await readFile(new URL(`${name}.woff`, files)));

/** The font of captions, as a TrueType file. */
export const captionFont = (): Promise<Buffer> => truetype('inter-latin-600-normal');

const configurationOf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${escaped(folder)}</dir><cachedir>${escaped(join(folder, 'cache'))}</cachedir></fontconfig>
`;

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Writes the fonts elsewhere and moves them into place, because two jobs may create the folder concurrently. */
const writeFonts = async (parent: string, folder: string) => {
  await mkdir(parent, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    for (const subset of subsets) {
      for (const weight of weights) {
        const name = `inter-${subset}-${weight}-normal`;
        await writeFile(join(unfinished, `${name}.ttf`), await truetype(name));
      }
    }
    await writeFile(join(unfinished, 'fonts.conf'), configurationOf(folder));
    await rename(unfinished, folder);
  } catch (error) {
    if (!(await isThere(join(folder, 'fonts.conf')))) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
};

/** Must be called before this process renders any text, because the configuration is read only once. */
export const prepareFonts = async (parent: string): Promise<void> => {
  const folder = join(parent, 'fonts');
  const configuration = join(folder, 'fonts.conf');
  if (!(await isThere(configuration))) await writeFonts(parent, folder);
  process.env.FONTCONFIG_FILE = configuration;
};
