/** Holds the calls for each customer at the step that a test has chosen, and kills the service when all are held. */

import type { Gate } from './call-recorder.ts';
import type { Match, Moment, ServiceCall } from './service-call.ts';

export interface RecordedCall extends ServiceCall {
  readonly moment: Moment;
}

/** Whether to stop at a given call. */
export type KillAt = (call: RecordedCall) => boolean;

export const at =
  (match: Match, moment: Moment): KillAt =>
  (call) =>
    call.moment === moment && match(call);

/** The calls that the service makes for one customer. */
export interface Track {
  /** The calls, oldest first. */
  readonly calls: readonly RecordedCall[];
  /** The call at which the customer is held: like those of a killed service, it and all later calls get no response. */
  readonly heldAt: RecordedCall | undefined;
}

interface OwnTrack extends Track {
  readonly calls: RecordedCall[];
  heldAt: RecordedCall | undefined;
  readonly owns: Match;
  killAt: KillAt | undefined;
}

export interface KillSwitch {
  readonly gate: Gate;
  /** The last call before the service was killed; undefined while it runs. */
  readonly killedAt: RecordedCall | undefined;
  /** The calls of all tracks, oldest first. */
  readonly calls: readonly RecordedCall[];
  newTrack(owns: Match): Track;
  /** Chooses the call at which each of these tracks is held; the service is killed once all of them are held. */
  arm(killAt: ReadonlyMap<Track, KillAt>): void;
  /** Resets the switch for a new process. */
  newRun(): void;
}

/** Failed calls are not `done`, and are never held. A call for several customers belongs to none of them. */
export function newKillSwitch(kill: () => void): KillSwitch {
  const tracks: OwnTrack[] = [];
  let killedAt: RecordedCall | undefined;
  const calls: RecordedCall[] = [];
  const areHeld = () => tracks.every(({ heldAt, killAt }) => !killAt || heldAt);
  const ownerOf = (call: ServiceCall): OwnTrack | undefined => {
    const [owner, ...others] = tracks.filter(({ owns }) => owns(call));
    return others.length === 0 ? owner : undefined;
  };
  return {
    get killedAt() {
      return killedAt;
    },
    calls,
    newTrack(owns) {
      const track: OwnTrack = { calls: [], heldAt: undefined, owns, killAt: undefined };
      tracks.push(track);
      return track;
    },
    arm(killAt) {
      for (const track of tracks) track.killAt = killAt.get(track);
    },
    newRun() {
      killedAt = undefined;
      for (const track of tracks) Object.assign(track, { heldAt: undefined, killAt: undefined });
    },
    gate(call, moment, done) {
      if (killedAt) return false;
      const owner = ownerOf(call);
      if (!owner) return true;
      if (owner.heldAt) return false;
      const recorded = { ...call, moment };
      if (done && owner.killAt?.(recorded)) {
        owner.heldAt = recorded;
        if (!areHeld()) return false;
        killedAt = recorded;
        kill();
        return false;
      }
      calls.push(recorded);
      owner.calls.push(recorded);
      return true;
    },
  };
}
