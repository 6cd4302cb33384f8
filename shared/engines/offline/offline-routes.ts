/** The offline engine's routes: one for each task type, which supports every request unchanged. */
export const offlineRouteOf = (taskType: string): string => `offline/${taskType}`;
