/** The fonts that travel with the code, and no others: images look alike on every machine. */
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unwrapWoff } from './woff.ts';

const files = new URL('files/', import.meta.resolve('@fontsource/inter/package.json'));
const scripts = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese'];
const weights = [400, 600];

/** What the fonts can show; other characters would appear as empty boxes. */
const unprintable =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u0020-\u024f\u2010-\u2027\u2030-\u203a\u20a0-\u20bf\u2122]/gu;

/** One line of text that the fonts can show; may be empty. */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\p{Cc}/gu, ' ')
    .replace(unprintable, ' ')
    .replace(/\s+/gu, ' ')
    .trim();

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const configurationOf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${escaped(folder)}</dir><cachedir>${escaped(join(folder, 'cache'))}</cachedir></fontconfig>
`;

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Written beside and moved into place, since two jobs may want the folder at once: the first one wins. */
const writeFonts = async (parent: string, folder: string) => {
  await mkdir(parent, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    for (const script of scripts) {
      for (const weight of weights) {
        const name = `inter-${script}-${weight}-normal`;
        const woff = await readFile(new URL(`${name}.woff`, files));
        await writeFile(join(unfinished, `${name}.ttf`), unwrapWoff(woff));
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

/** To be called before any text is rendered in this process: the first text reads the configuration for good. */
export const prepareFonts = async (parent: string): Promise<void> => {
  const folder = join(parent, 'fonts');
  const configuration = join(folder, 'fonts.conf');
  if (!(await isThere(configuration))) await writeFonts(parent, folder);
  process.env.FONTCONFIG_FILE = configuration;
};
