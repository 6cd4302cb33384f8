/** The content of a job's row when a callback arrives: the accepted reference, or nothing yet. */
import type { FindCurrentJob } from '../../shared/engines/engine.ts';

export const currentJob =
  (reference?: string): FindCurrentJob =>
  async (isReportOn) => ({ isCurrent: reference === undefined || isReportOn(reference), reference });
