/** A rehearsal of a bad day: a section of the operators' pages, whose commands are run one after another, and checks. */
import type { Scene } from './scene.ts';

export interface Drill {
  /** What happens, in a few words. */
  readonly summary: string;
  /** The page and the heading of the section whose commands the drill runs. */
  readonly page: string;
  readonly heading: string;
  readonly run: (scene: Scene) => Promise<void>;
}
