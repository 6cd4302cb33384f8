/** The route to Vizard. It supports four of the six aspect ratios, and videos of at least one minute. */
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
