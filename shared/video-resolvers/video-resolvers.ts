/**
 * The video resolver of this service. Only YouTube documents the duration of any public video: the oEmbed of TikTok and
 * Instagram has none, and their other APIs show only the videos of accounts that have given their consent.
 */
import type { Clock } from '../platform/clock.ts';
import { secretsManager } from '../platform/secrets.ts';
import type { Settings } from '../platform/settings.ts';
import type { VideoResolver } from './video-resolver.ts';
import { resolveYoutubeVideo } from './youtube/youtube-resolver.ts';

interface Source {
  readonly settings: Settings;
  readonly clock: Clock;
}

export function videoResolver(source: Source): VideoResolver {
  const { youtubeUrl: url, youtubeKey } = source.settings;
  const secrets = secretsManager(source);
  const youtube = { url, key: () => secrets.read(youtubeKey) };
  return {
    resolve: async ({ platform, id }, timeLimitMs) =>
      platform === 'youtube' && youtubeKey !== 'none'
        ? resolveYoutubeVideo(youtube, id, timeLimitMs)
        : { status: 'unsupported' },
  };
}
