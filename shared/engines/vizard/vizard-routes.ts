/** The route to Vizard. It makes four of the six ratios, and takes videos from one minute on. */
import type { RouteTable } from '../route.ts';

export const vizardRoutes = {
  'vizard/project': {
    cortes: {
      videoUrl: {
        types: ['video/mp4', 'video/quicktime'],
        minSeconds: 60,
        links: ['youtube', 'tiktok'],
        mustBeMeasured: true,
      },
      aspectRatio: ['9:16', '16:9', '1:1', '4:5'],
    },
  },
} as const satisfies RouteTable<'vizard'>;
