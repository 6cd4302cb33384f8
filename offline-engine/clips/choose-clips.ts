/**
 * Chooses the clips of a video in the same way as the service does when it cuts videos itself. Instead of sentences it
 * uses the sections between pauses and scene changes, ranked by how much is said and how loudly.
 */
import { clipSeconds } from '../../shared/contracts/generate-cortes.ts';
import { choosePassages } from '../../shared/domain/clips/choose-passages.ts';
import { loudnessPerSecond, type SourceAnalysis } from './analyze-source.ts';
import type { Span } from './frame-values.ts';

export interface ChosenClip extends Span {
  /** The relevance of the clip, from 0 to 1. */
  readonly score: number;
}

/** A millisecond before a frame, so that the frame itself is included even if its time was rounded up. */
export const beforeFrame = (time: number): number => Math.floor((time - 0.001) * 1000) / 1000;

/** Everything that is heard between the pauses, cut at scene changes; the whole video if it has no sound. */
const sectionsOf = ({ pauses, scenes, seconds }: SourceAnalysis): readonly Span[] => {
  const starts = [0, ...pauses.map(({ end }) => end)];
  const ends = [...pauses.map(({ start }) => start), seconds];
  return starts.flatMap((start, index) => {
    const end = ends[index] ?? seconds;
    const cuts = scenes.map(beforeFrame).filter((scene) => scene > start && scene < end);
    return [start, ...cuts].flatMap((from, cut) => {
      const to = cuts[cut] ?? end;
      return to > from ? [{ start: from, end: to }] : [];
    });
  });
};

interface Passage extends Span {
  readonly firstSentence: number;
  readonly lastSentence: number;
  readonly score: number;
}

const usualSeconds = 40;

/** Candidates for clips: one from the beginning of each section, extended to the usual length of a clip. */
const passagesOf = (sections: readonly Span[], { loudness }: SourceAnalysis): readonly Passage[] => {
  const levels = loudness.toSorted();
  const [quiet = 0, loud = 0] = [0.1, 0.95].map((share) => levels[Math.floor(share * (levels.length - 1))]);
  const loudnessIn = ({ start, end }: Span) => {
    const heard = loudness.subarray(Math.floor(start * loudnessPerSecond), Math.ceil(end * loudnessPerSecond));
    const mean = heard.reduce((sum, level) => sum + level, 0) / Math.max(1, heard.length);
    return Math.min(1, Math.max(0, (mean - quiet) / Math.max(1, loud - quiet)));
  };
  return sections.flatMap(({ start }, firstSentence) => {
    let lastSentence = firstSentence;
    while ((sections[lastSentence + 1]?.end ?? Number.POSITIVE_INFINITY) - start <= usualSeconds) lastSentence += 1;
    const end = sections[lastSentence]?.end ?? start;
    if (end - start < clipSeconds.min || end - start > clipSeconds.max) return [];
    const parts = sections.slice(firstSentence, lastSentence + 1);
    const share = parts.reduce((sum, part) => sum + part.end - part.start, 0) / (end - start);
    const score = 0.6 * share + 0.25 * loudnessIn({ start, end }) + (0.15 * (end - start)) / clipSeconds.max;
    return [{ start, end, firstSentence, lastSentence, score }];
  });
};

/** The best candidates that do not overlap: more than will be cut, so that there is a choice when they are arranged. */
const ranked = (passages: readonly Passage[], count: number): readonly Passage[] => {
  const best: Passage[] = [];
  for (const passage of passages.toSorted((one, other) => other.score - one.score)) {
    if (best.length >= 2 * count) break;
    if (best.every(({ start, end }) => end <= passage.start || passage.end <= start)) best.push(passage);
  }
  return best;
};

/** The score of a clip that overlaps none of the candidates. */
const minScore = 0.1;

/** As many clips as requested, best first. */
export const chooseClips = (analysis: SourceAnalysis, clipCount: number): readonly ChosenClip[] => {
  const sections = sectionsOf(analysis);
  const sentences = sections.map(({ start, end }) => ({ text: '', startSec: start, endSec: end }));
  const choice = { sentences, clipCount, durationSec: analysis.seconds };
  const clips = choosePassages({ ...choice, ranked: ranked(passagesOf(sections, analysis), clipCount) });
  return clips.map(({ startSec, endSec, score = minScore }) => ({ start: startSec, end: endSec, score }));
};
