/** What a job's row knows when a callback comes: the reference of its acceptance, or nothing yet. */
import type { FindCurrentJob } from '../../shared/engines/engine.ts';

export const currentJob =
  (reference?: string): FindCurrentJob =>
  async (isReportOn) => ({ isCurrent: reference === undefined || isReportOn(reference), reference });
