/** Builds the input of Vizard's projects, following its API reference (docs.vizard.ai, 2026-11). */
import type { VideoPlatform } from '../../contracts/media.ts';
import type { ModelTable } from '../model.ts';
import type { vizardRoutes } from './vizard-routes.ts';

/** For a file at a URL, Vizard requires the file's extension. */
const hostedFile = (container: 'mov' | undefined) => ({ videoType: 1, ext: container ?? 'mp4' });

const linkTypes: Readonly<Partial<Record<VideoPlatform, number>>> = { youtube: 2, tiktok: 6 };

const ratios: Readonly<Record<string, number>> = { '9:16': 1, '1:1': 2, '4:5': 3, '16:9': 4 };

/**
 * Vizard's length codes for clips that fit without overlaps: 1 is below 30 seconds, 2 up to 60, and 3 up to 90. Code 1
 * includes clips shorter than usual, so it is used only if the video is too short for longer ones.
 */
function lengthsFor(seconds: number, clipCount: number): readonly number[] {
  const share = seconds / clipCount;
  if (share < 30) return [1];
  return share < 60 ? [1, 2] : [2, 3];
}

export const vizardModels: ModelTable<typeof vizardRoutes> = {
  'vizard/project': {
    model: 'project',
    inputs: {
      cortes: ({ videoUrl, aspectRatio, seconds, clipCount, container, link }) => ({
        lang: 'auto',
        preferLength: lengthsFor(seconds, clipCount),
        videoUrl: link?.url ?? videoUrl,
        ...(link ? { videoType: linkTypes[link.platform] } : hostedFile(container)),
        ratioOfClip: ratios[aspectRatio],
        maxClipNumber: clipCount,
        subtitleSwitch: 1,
        headlineSwitch: 0,
        emojiSwitch: 0,
        highlightSwitch: 0,
        autoBrollSwitch: 0,
        removeSilenceSwitch: 0,
      }),
    },
  },
};
