/** The route to Klap. It reframes to any size, and downloads links itself. */
import type { RouteTable } from '../route.ts';

export const klapRoutes = {
  'klap/video-to-shorts': { cortes: { videoUrl: { links: ['youtube', 'tiktok', 'instagram'] } } },
} as const satisfies RouteTable<'klap'>;
