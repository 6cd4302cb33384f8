/**
 * Scribe's transcript of a recording in ElevenLabs' documented format: words and the spaces between them, with times.
 */
import { spokenWords } from './spoken-words.ts';

export type ScribeProblem = 'not-downloaded' | 'no-sound';

export interface ScribeResponse {
  readonly language_code: string;
  readonly language_probability: number;
  readonly text: string;
  readonly words: readonly object[];
}

const probability = 0.98;

/** Transcribes a recording. @throws the reason of the signal */
export async function scribe(
  url: string,
  { signal, speech }: { readonly signal: AbortSignal; readonly speech?: string | undefined },
): Promise<ScribeResponse | ScribeProblem> {
  const response = await fetch(url, { signal }).catch(() => undefined);
  if (!response?.ok || !response.body) return 'not-downloaded';
  const heard = await spokenWords(response.body, { speech, signal });
  if (!heard) return 'no-sound';
  const words = heard.flatMap((word, index) => {
    const before = heard[index - 1];
    const spacing = before && { text: ' ', start: before.end, end: word.start, type: 'spacing', logprob: 0 };
    return [...(spacing ? [spacing] : []), { ...word, type: 'word', speaker_id: 'speaker_0', logprob: -0.02 }];
  });
  const text = heard.map((word) => word.text).join(' ');
  return { language_code: 'por', language_probability: probability, text, words };
}
