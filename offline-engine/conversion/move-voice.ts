/**
 * Shifts the pitch and the formants of a voice independently while keeping its timing: single periods are cut out,
 * stretched or compressed, and reassembled at the spacing of the new pitch (PSOLA).
 */
import { samplesPerSecond } from '../sound/sound.ts';
import { type PitchTrack, pitchTrack } from './pitch.ts';

const thinning = 6;

/** The distance between cuts where there is no voice; there, the pitch is not changed. */
const unvoicedSamples = Math.round(0.008 * samplesPerSecond);
/** How early or late the next period may come, as a share of the period. */
const searchedShare = 0.15;

export interface VoiceTarget {
  readonly pitchHz: number;
  /** The strength of the melody, from 0 (constant pitch) to 1 and more (exaggerated). */
  readonly melody: number;
  /** The factor by which formants are shifted. */
  readonly formants: number;
}

/** A period: its center and length in samples. */
interface Period {
  readonly middle: number;
  readonly length: number;
  readonly isVoiced: boolean;
}

/** The highest sample near a position, so that all periods are cut at the same point of the wave. */
const peakNear = (sound: Float32Array, place: number, reach: number): number => {
  let best = Math.round(place);
  for (let at = Math.round(place - reach); at <= place + reach; at += 1) {
    if ((sound[at] ?? -1) > (sound[best] ?? -1)) best = at;
  }
  return best;
};

const periodsOf = (sound: Float32Array, { stepSeconds, pitches }: PitchTrack): readonly Period[] => {
  const periods: Period[] = [];
  let middle = 0;
  while (middle < sound.length) {
    const pitch = pitches[Math.round(middle / samplesPerSecond / stepSeconds)];
    const length = pitch === undefined ? unvoicedSamples : samplesPerSecond / pitch;
    const isVoiced = pitch !== undefined;
    periods.push({ middle, length, isVoiced });
    middle = isVoiced ? peakNear(sound, middle + length, searchedShare * length) : middle + length;
  }
  return periods;
};

/** The interpolated value between two samples. */
const sampleAt = (sound: Float32Array, place: number): number => {
  const at = Math.floor(place);
  const share = place - at;
  return (sound[at] ?? 0) * (1 - share) + (sound[at + 1] ?? 0) * share;
};

/** Adds two periods around a center, faded in and out and compressed by the formants' factor. */
const addPeriod = (result: Float32Array, place: number, sound: Float32Array, period: Period, grain: Grain): void => {
  const { formants, gain } = grain;
  const reach = period.length / formants;
  const last = Math.min(result.length - 1, Math.floor(place + reach));
  for (let at = Math.max(0, Math.ceil(place - reach)); at <= last; at += 1) {
    const offset = at - place;
    const fade = 0.5 + 0.5 * Math.cos((Math.PI * offset) / reach);
    result[at] = (result[at] ?? 0) + gain * fade * sampleAt(sound, period.middle + offset * formants);
  }
};

interface Grain {
  readonly formants: number;
  readonly gain: number;
}

/** Returns audio of the same length. If it contains no voice, only the formants are shifted. */
export const moveVoice = (sound: Float32Array, targetOf: (medianHz: number | undefined) => VoiceTarget) => {
  const track = pitchTrack(sound, thinning);
  const { medianHz = 1 } = track;
  const { pitchHz, melody, formants } = targetOf(track.medianHz);
  const periods = periodsOf(sound, track);
  const result = new Float32Array(sound.length);
  let [place, index] = [0, 0];
  while (place < sound.length) {
    while (
      Math.abs((periods[index + 1]?.middle ?? Number.POSITIVE_INFINITY) - place) <=
      Math.abs((periods[index]?.middle ?? 0) - place)
    )
      index += 1;
    const period = periods[index];
    if (!period) break;
    const pitch = samplesPerSecond / period.length;
    const length = period.isVoiced ? samplesPerSecond / (pitchHz * (pitch / medianHz) ** melody) : period.length;
    // Reduces the gain, because more periods per second, or longer ones, would make the voice louder.
    addPeriod(result, place, sound, period, { formants, gain: Math.sqrt((length * formants) / period.length) });
    place += length;
  }
  return result;
};
