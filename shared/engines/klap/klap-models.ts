/** The input of Klap's task, as its API reference documents it (docs.klap.app, 2026-11). */
import { clipSeconds } from '../../contracts/generate-cortes.ts';
import { videoFrame } from '../../contracts/video-frame.ts';
import type { ModelTable } from '../model.ts';
import type { klapRoutes } from './klap-routes.ts';

/** Sought where the video is long enough. */
const usualSeconds = 45;

/** In seconds: clips of a short video are as long as it allows without overlaps. */
function durations(seconds: number, clipCount: number) {
  const share = Math.max(1, Math.floor(seconds / clipCount));
  return {
    min_duration: Math.min(clipSeconds.least, share),
    max_duration: clipSeconds.most,
    target_duration: Math.min(usualSeconds, share),
  };
}

export const klapModels: ModelTable<typeof klapRoutes> = {
  'klap/video-to-shorts': {
    model: 'video-to-shorts',
    inputs: {
      cortes: ({ videoUrl, aspectRatio, seconds, clipCount, link }) => ({
        source_video_url: link?.url ?? videoUrl,
        target_clip_count: clipCount,
        max_clip_count: clipCount,
        ...durations(seconds, clipCount),
        dimensions: videoFrame('1080p', aspectRatio),
        editing_options: { captions: true, reframe: true, emojis: false, intro_title: false, remove_silences: false },
      }),
    },
  },
};
