/** The route to Klap. It reframes to any size and downloads links itself. Only MP4 files are documented. */
import type { RouteTable } from '../route.ts';

export const klapRoutes = {
  'klap/video-to-shorts': {
    cortes: { videoUrl: { types: ['video/mp4'], links: ['youtube', 'tiktok', 'instagram'], mustBeMeasured: true } },
  },
} as const satisfies RouteTable<'klap'>;
