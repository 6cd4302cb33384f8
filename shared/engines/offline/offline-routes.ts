/** The offline engine's routes: one for each task type, which supports every request and is sent it as it is. */
export const offlineRouteOf = (taskType: string): string => `offline/${taskType}`;
