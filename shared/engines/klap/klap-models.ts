/** Builds the input of Klap's tasks, following its API reference (docs.klap.app, 2026-11). */
import { clipSeconds } from '../../contracts/generate-cortes.ts';
import { videoFrame } from '../../contracts/video-frame.ts';
import type { ModelTable } from '../model.ts';
import type { klapRoutes } from './klap-routes.ts';

/** The preferred length of a clip, if the video is long enough. */
const usualSeconds = 45;

/** The allowed lengths of clips, in seconds. In a short video, clips are as long as is possible without overlaps. */
function durations(seconds: number, clipCount: number) {
  const share = Math.max(1, Math.floor(seconds / clipCount));
  return {
    min_duration: Math.min(clipSeconds.min, share),
    max_duration: clipSeconds.max,
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
