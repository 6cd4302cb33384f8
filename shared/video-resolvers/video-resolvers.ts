/**
 * Selects the video resolver of this service. Only YouTube documents the duration of every public video: the oEmbed
 * APIs of TikTok and Instagram do not return one, and their other APIs cover only accounts that have given consent.
 */
import type { PortSource } from '../platform/port-source.ts';
import { type Secrets, secretsManager } from '../platform/secrets.ts';
import type { VideoResolver } from './video-resolver.ts';
import { resolveYoutubeVideo } from './youtube/youtube-resolver.ts';

export function videoResolver(source: PortSource): VideoResolver {
  let secrets: Secrets | undefined;
  const key = (): Promise<string> => {
    // The YouTube resolver is created only when a link is resolved.
    secrets ??= secretsManager(source);
    return secrets.read(source.settings.youtubeKey);
  };
  const supports: VideoResolver['supports'] = (platform) =>
    platform === 'youtube' && source.settings.youtubeKey !== 'none';
  return {
    supports,
    async resolve({ platform, id }, timeLimitMs) {
      if (!supports(platform)) return { status: 'unsupported' };
      return resolveYoutubeVideo({ url: source.settings.youtubeUrl, key }, id, timeLimitMs);
    },
  };
}
