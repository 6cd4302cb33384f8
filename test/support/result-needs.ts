/** The dependencies of storing results, for tests whose results are not marked. */

import { systemClock } from '../../shared/platform/clock.ts';
import { settingsOf } from '../../shared/platform/settings.ts';
import { contentCredentials } from '../../shared/provenance/content-credentials.ts';

export const unmarkedResultNeeds = {
  clock: systemClock,
  ids: { secret: () => 'attempt' },
  engineJobs: { find: () => Promise.reject(new Error('no job is read')) },
  logger: { error: () => undefined },
  provenance: contentCredentials({ settings: settingsOf({}), clock: systemClock }),
  work: { open: () => Promise.reject(new Error('no input is read')) },
};
