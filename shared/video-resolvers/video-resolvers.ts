/**
 * The video resolver of this service. Only YouTube documents the duration of any public video: the oEmbed of TikTok and
 * Instagram has none, and their other APIs show only the videos of accounts that have given their consent.
 */
import type { Clock } from '../platform/clock.ts';
import { type Secrets, secretsManager } from '../platform/secrets.ts';
import type { Settings } from '../platform/settings.ts';
import type { VideoResolver } from './video-resolver.ts';
import { resolveYoutubeVideo } from './youtube/youtube-resolver.ts';

interface Source {
  readonly settings: Settings;
  readonly clock: Clock;
}

export function videoResolver(source: Source): VideoResolver {
  let secrets: Secrets | undefined;
  const key = (): Promise<string> => {
    // Made only when there is a link.
    secrets ??= secretsManager(source);
    return secrets.read(source.settings.youtubeKey);
  };
  return {
    async resolve({ platform, id }, timeLimitMs) {
      const { youtubeUrl: url, youtubeKey } = source.settings;
      if (platform !== 'youtube' || youtubeKey === 'none') return { status: 'unsupported' };
      return resolveYoutubeVideo({ url, key }, id, timeLimitMs);
    },
  };
}
