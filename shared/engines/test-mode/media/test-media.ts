/** The files of test mode: each is described by its URL, and drawn or spoken when it is downloaded. */
import { jpeg } from './jpeg.ts';
import { mp4 } from './mp4.ts';
import { png } from './png.ts';
import { mp3 } from './spoken-test.ts';
import { colorOf } from './two-colors.ts';
import { webp } from './webp.ts';

const shades = { paper: 40, word: 230 } as const;

interface Facts {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly hasSound: boolean;
  readonly colors: Parameters<typeof png>[1];
}

const makers = new Map<string, (facts: Facts) => Uint8Array>(
  Object.entries({
    png: (facts: Facts) => png(facts, facts.colors),
    webp: (facts: Facts) => webp(facts, facts.colors),
    jpg: (facts: Facts) => jpeg(facts, shades),
    mp4: (facts: Facts) => mp4(facts, shades),
    mp3: ({ seconds }: Facts) => mp3(seconds),
  }),
);

/** Makes the file of a URL that {@link outputsOf} returned. @throws {Error} for any other URL */
export function makeTestMedia(url: string): Uint8Array {
  const { protocol, pathname, searchParams } = new URL(url);
  const make = protocol === 'test:' ? makers.get(pathname) : undefined;
  if (!make) throw new Error('the output is not a file of test mode');
  const number = (name: string) => Number(searchParams.get(name));
  return make({
    width: number('width'),
    height: number('height'),
    seconds: number('seconds'),
    hasSound: searchParams.get('sound') === 'true',
    colors: { paper: colorOf(searchParams.get('paper') ?? ''), word: colorOf(searchParams.get('word') ?? '') },
  });
}
