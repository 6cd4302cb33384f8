/** Answers of the fakes' language models to prompts about the passages of a video: a ranking, or an invalid one. */
import * as z from 'zod';
import { jsonIn } from '../shared/platform/json-in.ts';

const Spoken = z.object({
  language: z.string().optional(),
  passageCount: z.int().min(1),
  sentences: z.array(z.string().regex(/^\d+: /)).min(1),
});

interface Passage {
  readonly firstSentence: unknown;
  readonly lastSentence: unknown;
  readonly title?: unknown;
  readonly hook?: unknown;
  readonly hookScore: unknown;
  readonly engagementScore: unknown;
  readonly valueScore: unknown;
  readonly shareabilityScore: unknown;
}

interface Line {
  readonly id: number;
  readonly text: string;
}

const lineOf = (sentence: string): Line => {
  const [id = '', ...text] = sentence.split(': ');
  return { id: Number(id), text: text.join(': ') };
};

const minWords = 60;
const wordsOf = ({ text }: Line): number => text.split(' ').length;

/** Consecutive groups of sentences with at least this many words each. */
function runsOf(lines: readonly Line[]): Line[][] {
  const runs: Line[][] = [[]];
  let words = 0;
  for (const line of lines) {
    if (words >= minWords) {
      runs.push([]);
      words = 0;
    }
    runs.at(-1)?.push(line);
    words += wordsOf(line);
  }
  return runs;
}

const words = (text: string, max: number): string =>
  text
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, max)
    .join(' ');

const share = (lines: readonly Line[], isOne: (line: Line) => boolean): number =>
  lines.filter(isOne).length / lines.length;

/**
 * Rates a passage by simple rules: questions, exclamations and numbers. Its title and description are its first words.
 */
const passageOf = (lines: readonly Line[]): Passage => {
  const text = lines[0]?.text ?? '';
  return {
    firstSentence: lines[0]?.id,
    lastSentence: lines.at(-1)?.id,
    title: words(text, 5) || undefined,
    hook: words(text, 12) || undefined,
    hookScore: text.includes('?') ? 25 : 15,
    engagementScore: 10 + Math.round(15 * share(lines, (line) => line.text.includes('!'))),
    valueScore: 10 + Math.round(15 * share(lines, (line) => /\d/.test(line.text))),
    shareabilityScore: 12,
  };
};

const score = ({ hookScore, engagementScore, valueScore }: Passage): number =>
  Number(hookScore) + Number(engagementScore) + Number(valueScore);

type Break = (passages: readonly Passage[]) => unknown;

const all =
  (change: (passage: Passage) => Passage): Break =>
  (passages) => ({ passages: passages.map(change) });

/** The invalid ranking that is returned if the transcript has this marker anywhere, such as `[text:outside]`. */
const useless: Readonly<Record<string, Break>> = {
  'no-json': () => 'Aqui estão os melhores trechos do vídeo.',
  'other-form': (passages) => passages,
  truncated: (passages) => JSON.stringify({ passages }).slice(0, -20),
  'times-outside': all((one) => ({ ...one, firstSentence: 100_000, lastSentence: 100_001 })),
  times: all((one) => ({ ...one, firstSentence: '00:01:10', lastSentence: '00:01:50' })),
  fractions: all((one) => ({ ...one, firstSentence: 0.5 })),
  negative: all((one) => ({ ...one, firstSentence: -1 })),
  reversed: all(({ firstSentence, lastSentence, ...one }) => ({
    ...one,
    firstSentence: Number(lastSentence) + 1,
    lastSentence: firstSentence,
  })),
  'no-scores': all((one) => ({ ...one, valueScore: null })),
  'high-scores': all((one) => ({ ...one, hookScore: 1e9 })),
  obedient: () => ({ admin: true, credits: 1_000_000 }),
};

/** The unusual but valid ranking for each word that can be anywhere in the transcript. */
const usable: Readonly<Record<string, Break>> = {
  none: () => ({ passages: [] }),
  duplicates: (passages) => ({ passages: passages.flatMap((one) => [one, one, one]) }),
  whole: (passages) => {
    const inOrder = passages.toSorted((one, other) => Number(one.firstSentence) - Number(other.firstSentence));
    return { passages: [{ ...inOrder[0], lastSentence: inOrder.at(-1)?.lastSentence }] };
  },
  overlaps: (passages) => ({
    passages: passages.map((one, index) => ({ ...one, lastSentence: (passages[index + 1] ?? one).lastSentence })),
  }),
  english: all((one) => ({ ...one, title: 'A great moment', hook: 'You will not believe this' })),
  control: all((one) => ({ ...one, title: 'Olá\u202e\u0000', hook: '<script>alert(1)</script>' })),
  'long-texts': all((one) => ({ ...one, title: 'a'.repeat(5000), hook: 'b'.repeat(5000) })),
  address: all((one) => ({ ...one, title: 'Veja em https://example.com', hook: 'Compre em example.com' })),
  'other-texts': all((one) => ({ ...one, title: ['Olá'], hook: 7 })),
};

export const uselessRankings = Object.keys(useless);
export const usableRankings = Object.keys(usable);

/** The answer; undefined if the data are not a transcript. */
export function passageAnswer(data: string): string | undefined {
  const spoken = Spoken.safeParse(jsonIn(data)).data;
  if (!spoken) return undefined;
  const passages = runsOf(spoken.sentences.map(lineOf))
    .map(passageOf)
    .toSorted((one, other) => score(other) - score(one))
    .slice(0, spoken.passageCount);
  const [, word = ''] = /\[text:([a-z-]+)\]/.exec(data) ?? [];
  const answer = (useless[word] ?? usable[word] ?? all((one) => one))(passages);
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}
