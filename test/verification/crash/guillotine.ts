/** Lets everything pass that the service says, until the moment at which a test kills it. */
import type { Match, Moment, Passage } from './passage.ts';
import type { Gate } from './tap.ts';

export interface Passed extends Passage {
  readonly moment: Moment;
}

/** Asked at every passage, with the number of those that it has let pass. */
export type KillAt = (passage: Passed, index: number) => boolean;

export const at =
  (match: Match, moment: Moment): KillAt =>
  (passage) =>
    passage.moment === moment && match(passage);

export interface Guillotine {
  readonly gate: Gate;
  /** What has passed since it was last forgotten, oldest first. */
  readonly passed: readonly Passed[];
  /** What the service was about to say or to hear when it was killed; undefined while it lives. */
  readonly struck: Passed | undefined;
  /** Chooses the moment at which the present life ends. */
  arm(killAt: KillAt): void;
  forget(): void;
  /** Undefined lets it live. */
  newLife(killAt: KillAt | undefined): void;
}

/** What has been refused by whom it was for is not `done`, and no moment to be killed at. */
export function guillotine(kill: () => void): Guillotine {
  const passed: Passed[] = [];
  let killAt: KillAt | undefined;
  let struck: Passed | undefined;
  let armedAfter = 0;
  const arm = (next: KillAt | undefined) => {
    killAt = next;
    armedAfter = passed.length;
  };
  return {
    passed,
    get struck() {
      return struck;
    },
    arm,
    forget() {
      passed.length = 0;
    },
    newLife(next) {
      struck = undefined;
      arm(next);
    },
    gate(passage, moment, done) {
      // Of a life that has ended nothing comes through any more.
      if (struck) return false;
      const passing = { ...passage, moment };
      if (done && killAt?.(passing, passed.length - armedAfter)) {
        struck = passing;
        kill();
        return false;
      }
      passed.push(passing);
      return true;
    },
  };
}
