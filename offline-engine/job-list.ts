/** The engine's jobs by id and by reference. */
import type { Job } from './job.ts';

export interface JobList {
  add(job: Job): void;
  withId(id: string): Job | undefined;
  withReference(reference: string): Job | undefined;
  all(): readonly Job[];
  /** Removes the jobs that ended before a time (in milliseconds since the epoch). */
  forgetEndedBefore(time: number): void;
}

export const jobList = (): JobList => {
  const byId = new Map<string, Job>();
  const byReference = new Map<string, Job>();
  return {
    add(job) {
      byId.set(job.id, job);
      byReference.set(job.reference, job);
    },
    withId: (id) => byId.get(id),
    withReference: (reference) => byReference.get(reference),
    all: () => [...byId.values()],
    forgetEndedBefore(time) {
      for (const job of byId.values()) {
        if (job.endedAt === undefined || job.endedAt >= time) continue;
        byId.delete(job.id);
        byReference.delete(job.reference);
      }
    },
  };
};
