/** The duration of a linked video, as the video site says, or why the request is rejected. */
import { videoPlatforms } from '../../contracts/media.ts';
import type { ResolvedVideo } from '../../video-resolvers/video-resolver.ts';
import { takesLinks } from '../generation/choose-route.ts';
import type { Inspection } from '../generation/inspection.ts';
import { lookUpVideo } from './look-up-video.ts';
import { notDownloadable } from './not-downloadable.ts';
import type { PlatformLink } from './platform-link.ts';

function requireDuration(video: ResolvedVideo, { platform }: PlatformLink): number {
  const name = videoPlatforms[platform];
  switch (video.status) {
    case 'found':
      return video.durationSec;
    case 'missing':
      throw notDownloadable(`${name} has no public video at this link`);
    case 'live':
      throw notDownloadable('it is a live broadcast that has not ended');
    case 'unsupported':
      throw notDownloadable(`this service is not configured to determine the duration of videos on ${name}`);
    case 'exhausted':
      throw notDownloadable(
        `${name} answers no more requests of this service today; retry tomorrow, or send the address of a file`,
        video.problem,
      );
    default:
      throw notDownloadable(`${name} did not provide its duration; retry later`, video.problem);
  }
}

/** @throws {Rejection} download-failed, rate-limited, and what an account lacks that cannot pay */
export async function linkedDuration(link: PlatformLink, inspection: Inspection, timeLimitMs: number): Promise<number> {
  // What a video site answers is limited, so it is not asked for an account that can have no video at all made into clips.
  inspection.requireFunds(inspection.routes.filter((route) => takesLinks(route, 'videoUrl', link.platform)));
  return requireDuration(await lookUpVideo(inspection, inspection.accountId, link, timeLimitMs), link);
}
