/** The rejection of a video that cannot be downloaded. */
import { Rejection } from '../rejection.ts';

export const notDownloadable = (why: string, internal?: string): Rejection =>
  new Rejection('download-failed', {
    message: `The video could not be downloaded: ${why}.`,
    ...(internal !== undefined && { internal }),
  });
