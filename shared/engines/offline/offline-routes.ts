/** The offline engine's routes: one per task type, which supports every request. */
export const offlineRouteOf = (taskType: string): string => `offline/${taskType}`;
