/** Describes in words what was found out about a file. */
import type { Credentials, Source } from './credentials.ts';
import { filled, type Language, type Texts, texts } from './texts.ts';

/** What is known about a file: what its credentials say, and the day on which the service published it. */
export interface Finding {
  readonly credentials: Credentials | 'none' | 'unreadable' | 'too large';
  readonly published: { readonly day: string } | 'not published' | 'not asked' | undefined;
}

type Line = readonly [term: string, ...descriptions: string[]];

export interface Report {
  readonly verdict: string;
  readonly mood: 'good' | 'bad' | 'neutral';
  /** What a reader must not conclude from the verdict. */
  readonly note: string | undefined;
  readonly lines: readonly Line[];
}

const dayIn = (language: Language, day: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

function timeIn(language: Language, when: string | undefined): string | undefined {
  const time = new Date(when ?? '');
  if (Number.isNaN(time.getTime())) return undefined;
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(time);
}

function sourceText(text: Texts, { isParent, type, hasCredentials }: Source): string {
  const credentials = text[hasCredentials ? 'with credentials' : 'without credentials'];
  return filled(text[isParent ? 'parent' : 'input'], { type: type === undefined ? '' : ` (${type})`, credentials });
}

function linesOf(text: Texts, language: Language, found: Credentials): Line[] {
  const { generator, making, signedBy, sources, tool, when } = found;
  const named = (name: string | undefined): string => name ?? text['not known'];
  const time = timeIn(language, when);
  const nothing = making === 'model' ? text.words : text['not stated'];
  return [
    [
      text.who,
      filled(text['made with'], { generator: named(generator), signedBy: named(signedBy) }),
      text['signer means'],
    ],
    [text.how, making === 'other' ? text['other making'] : filled(text[making], { tool: named(tool) })],
    ...(time === undefined ? [] : [[text.when, time] as const]),
    [text.from, ...(sources.length > 0 ? sources.map((source) => sourceText(text, source)) : [nothing])],
  ];
}

function publishedText(text: Texts, language: Language, published: NonNullable<Finding['published']>): string {
  return typeof published === 'string'
    ? text[published]
    : filled(text.published, { day: dayIn(language, published.day) });
}

/** The report about a file in a language. */
export function reportOf({ credentials, published }: Finding, language: Language): Report {
  const text = texts[language];
  const here: Line[] = published === undefined ? [] : [[text.here, publishedText(text, language, published)]];
  if (typeof credentials === 'string') {
    const note = credentials === 'none' ? text['none means'] : undefined;
    return { verdict: text[credentials], mood: 'neutral', note, lines: here };
  }
  const { state } = credentials;
  const lines = state === 'broken' ? here : [...linesOf(text, language, credentials), ...here];
  if (state === 'unchanged') return { verdict: text.unchanged, mood: 'good', note: undefined, lines };
  return { verdict: text[state], mood: 'bad', note: text[`${state} means`], lines };
}
