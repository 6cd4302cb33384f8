/** What is needed to create the ports that a stage's settings select. */
import type { Clock } from './clock.ts';
import type { Settings } from './settings.ts';

export interface PortSource {
  readonly settings: Settings;
  readonly clock: Clock;
}
