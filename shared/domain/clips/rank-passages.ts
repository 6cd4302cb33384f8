/** Plans the clips of a video by its transcript: a text writer ranks passages, and the best are chosen. */
import type { NoTexts, OnUse, RankedPassage, SpokenPart, TextWriter } from '../../text-writers/text-writer.ts';
import { choosePassages, type PlannedClip } from './choose-passages.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import type { Transcript } from './transcript.ts';

interface SpokenVideo {
  readonly transcript: Transcript;
  readonly durationSec: number;
  readonly clipCount: number;
}

interface ClipRanking {
  readonly clips: readonly PlannedClip[];
  /** Why windows of the video were not ranked, for the log. */
  readonly problems: readonly string[];
}

/** The length of the windows that are ranked separately, because language models lose track of longer texts. */
const windowSec = 20 * 60;
/** Windows overlap by more than the length of a clip, so that every passage is complete in at least one of them. */
const overlapSec = 120;
const windowsAtOnce = 4;
/** The writer ranks more passages than needed, because the best ones may overlap. */
const passagesPerClip = 1.5;
const minPassages = 3;

interface Window extends SpokenPart {
  readonly sentences: readonly (Sentence & { readonly id: number })[];
}

/** Divides the transcript into overlapping windows; sentence ids refer to the whole video. */
function windowsOf({ transcript, durationSec, clipCount }: SpokenVideo, sentences: readonly Sentence[]) {
  const numbered = sentences.map((sentence, id) => ({ ...sentence, id }));
  const windows: Window[] = [];
  for (let start = 0; start === 0 || start + overlapSec < durationSec; start += windowSec - overlapSec) {
    const within = numbered.filter(({ startSec }) => startSec >= start && startSec < start + windowSec);
    const share = Math.min(1, windowSec / durationSec);
    const passageCount = Math.max(minPassages, Math.ceil(passagesPerClip * clipCount * share));
    if (within.length > 0) windows.push({ language: transcript.language, sentences: within, passageCount });
  }
  return windows;
}

type Ranked = readonly RankedPassage[] | NoTexts;

const isRanking = (ranked: Ranked): ranked is readonly RankedPassage[] => Array.isArray(ranked);

/**
 * Plans as many clips as requested, even if the writer ranks too few: the rest is chosen by time. @throws if the writer
 * fails because of a fault of the service
 */
export async function rankPassages(
  writer: Pick<TextWriter, 'rankPassages'>,
  video: SpokenVideo,
  timeLimitMs: number,
  onUse?: OnUse,
): Promise<ClipRanking> {
  const sentences = sentencesOf(video.transcript, video.durationSec);
  const windows = windowsOf(video, sentences);
  const windowMs = Math.floor(timeLimitMs / Math.max(1, Math.ceil(windows.length / windowsAtOnce)));
  const answers: Ranked[] = [];
  for (let from = 0; from < windows.length; from += windowsAtOnce) {
    const batch = windows.slice(from, from + windowsAtOnce);
    const ask = ({ sentences: within, ...part }: Window) =>
      writer.rankPassages({ ...part, sentences: within.map(({ id, text }) => ({ id, text })) }, windowMs, onUse);
    answers.push(...(await Promise.all(batch.map(ask))));
  }
  return {
    clips: choosePassages({ ...video, sentences, ranked: answers.filter(isRanking).flat() }),
    problems: answers.flatMap((answer) => (isRanking(answer) ? [] : [answer.problem])),
  };
}
