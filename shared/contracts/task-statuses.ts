/** The statuses of a task, in the order in which they can follow each other. */
export const taskStatuses = ['pending', 'submitted', 'processing', 'completed', 'failed'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
