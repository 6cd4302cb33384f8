/**
 * Links to videos on YouTube, TikTok and Instagram: recognizes their common forms and normalizes them to one per video.
 */

import type { VideoPlatform } from '../../contracts/media.ts';
import { platformOf } from './platform-of.ts';

/** An example of the most common form on each site. */
export const exampleLinks: Readonly<Record<VideoPlatform, string>> = {
  youtube: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  tiktok: 'https://www.tiktok.com/@name/video/7106594312292453675',
  instagram: 'https://www.instagram.com/reel/CyZ-3kLr_9a/',
};

export interface PlatformLink {
  readonly platform: VideoPlatform;
  /** The site's id of the video, or the code of a short link. */
  readonly id: string;
  /** The normalized link: the same for all links to a video, except short links. */
  readonly url: string;
}

/** Path segments of YouTube URLs that look like ids but are not. */
const reservedWords = ['videoseries', 'live_stream'];

const youtubeId = (text: string | null | undefined): string | undefined =>
  text && /^[\w-]{11}$/.test(text) && !reservedWords.includes(text) ? text : undefined;

/** Follows `/attribution_link?u=/watch?v=…` to the path that it contains. */
const attributed = ({ searchParams }: URL): string | undefined => {
  const target = URL.parse(searchParams.get('u') ?? '', 'https://www.youtube.com');
  return target && platformOf(target) === 'youtube' ? youtubeId(target.searchParams.get('v')) : undefined;
};

function youtubeIdIn(url: URL, [first = '', second]: readonly string[]): string | undefined {
  if (url.hostname.endsWith('youtu.be')) return youtubeId(first);
  if (first === 'watch') return youtubeId(url.searchParams.get('v') ?? second);
  if (first === 'attribution_link') return attributed(url);
  return ['shorts', 'live', 'embed', 'v', 'e'].includes(first) ? youtubeId(second) : undefined;
}

const shortCode = (text: string | undefined): string | undefined =>
  text && /^[A-Za-z0-9]{5,20}$/.test(text) ? text : undefined;

const tiktokId = (text: string | undefined): string | undefined => /^(\d{15,20})(?:\.html)?$/.exec(text ?? '')?.[1];

const tiktok = (id: string, url: string): PlatformLink => ({ platform: 'tiktok', id, url });

function tiktokLinkIn({ hostname }: URL, steps: readonly string[]): PlatformLink | undefined {
  const [first = '', second = '', third] = steps;
  const isShort = hostname === 'vm.tiktok.com' || hostname === 'vt.tiktok.com';
  const code = isShort ? shortCode(first) : first === 't' ? shortCode(second) : undefined;
  if (isShort) return code === undefined ? undefined : tiktok(code, `https://${hostname}/${code}/`);
  if (code !== undefined) return tiktok(code, `https://www.tiktok.com/t/${code}/`);
  const isNamed = /^@[\w.-]*$/.test(first) && second === 'video';
  const isPlayer = (first === 'embed' && second === 'v2') || (first === 'player' && second === 'v1');
  const isShared = first === 'share' && second === 'video';
  const direct = ['embed', 'v', 'video'].includes(first) ? second : undefined;
  const id = tiktokId(isNamed || isPlayer || isShared ? third : direct);
  return id === undefined ? undefined : tiktok(id, `https://m.tiktok.com/v/${id}.html`);
}

const instagramKinds = ['reel', 'reels', 'p', 'tv'];
/** Pages under `/reels/` and similar paths that are not videos. */
const instagramPages = ['audio', 'explore', 'saved'];

const instagramCode = (text: string | undefined): string | undefined =>
  text && /^[\w-]{5,50}$/.test(text) && !instagramPages.includes(text) ? text : undefined;

function instagramLinkIn(steps: readonly string[]): PlatformLink | undefined {
  const [first = '', second = ''] = steps;
  const isShared = first === 'share';
  // The path may begin with the account's name.
  const kindAt = isShared || (!instagramKinds.includes(first) && instagramKinds.includes(second)) ? 1 : 0;
  const hasKind = instagramKinds.includes(steps[kindAt] ?? '');
  const id = instagramCode(hasKind ? steps[kindAt + 1] : isShared ? second : undefined);
  if (id === undefined) return undefined;
  const page = isShared ? `share/${hasKind ? `${steps[kindAt]}/` : ''}` : 'reel/';
  return { platform: 'instagram', id, url: `https://www.instagram.com/${page}${id}/` };
}

/** The video that a page shows; undefined for other sites and other pages. */
export function platformLinkIn(text: string): PlatformLink | undefined {
  const url = URL.parse(text);
  const platform = url && platformOf(url);
  if (!url || !platform) return undefined;
  const steps = url.pathname.split('/').filter(Boolean);
  switch (platform) {
    case 'youtube': {
      const id = youtubeIdIn(url, steps);
      return id === undefined ? undefined : { platform, id, url: `https://www.youtube.com/watch?v=${id}` };
    }
    case 'tiktok':
      return tiktokLinkIn(url, steps);
    default:
      return instagramLinkIn(steps);
  }
}
