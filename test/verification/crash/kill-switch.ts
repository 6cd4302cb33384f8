/** Records the service's calls, and kills it at the one that a test has chosen. */

import type { Gate } from './call-recorder.ts';
import type { Match, Moment, ServiceCall } from './service-call.ts';

export interface RecordedCall extends ServiceCall {
  readonly moment: Moment;
}

/** Whether to kill at a call; the index counts the calls since the switch was armed. */
export type KillAt = (call: RecordedCall, index: number) => boolean;

export const at =
  (match: Match, moment: Moment): KillAt =>
  (call) =>
    call.moment === moment && match(call);

export interface KillSwitch {
  readonly gate: Gate;
  /** All calls since the last `forget`, oldest first. */
  readonly calls: readonly RecordedCall[];
  /** The call at which the service was killed; undefined while it runs. */
  readonly killedAt: RecordedCall | undefined;
  /** Chooses the call at which the current process is killed. */
  arm(killAt: KillAt): void;
  forget(): void;
  /** Without a condition the process is not killed. */
  newRun(killAt: KillAt | undefined): void;
}

/** Calls that failed are not `done`, and never the moment of a kill. */
export function newKillSwitch(kill: () => void): KillSwitch {
  const calls: RecordedCall[] = [];
  let killAt: KillAt | undefined;
  let killedAt: RecordedCall | undefined;
  let armedAfter = 0;
  const arm = (next: KillAt | undefined) => {
    killAt = next;
    armedAfter = calls.length;
  };
  return {
    calls,
    get killedAt() {
      return killedAt;
    },
    arm,
    forget() {
      calls.length = 0;
    },
    newRun(next) {
      killedAt = undefined;
      arm(next);
    },
    gate(call, moment, done) {
      // A killed process makes no further calls.
      if (killedAt) return false;
      const recorded = { ...call, moment };
      if (done && killAt?.(recorded, calls.length - armedAfter)) {
        killedAt = recorded;
        kill();
        return false;
      }
      calls.push(recorded);
      return true;
    },
  };
}
