/** Recognizes addresses on YouTube, TikTok and Instagram. */
import type { VideoPlatform } from '../../contracts/media.ts';

/** Host names are compared exactly, so that lookalikes are not accepted. */
const hosts: Readonly<Record<VideoPlatform, readonly string[]>> = {
  youtube: [
    'youtube.com',
    'www.youtube.com',
    'm.youtube.com',
    'music.youtube.com',
    'gaming.youtube.com',
    'youtube-nocookie.com',
    'www.youtube-nocookie.com',
    'youtu.be',
    'www.youtu.be',
  ],
  tiktok: ['tiktok.com', 'www.tiktok.com', 'm.tiktok.com', 'lite.tiktok.com', 'vm.tiktok.com', 'vt.tiktok.com'],
  instagram: ['instagram.com', 'www.instagram.com', 'm.instagram.com', 'instagr.am', 'www.instagr.am'],
};

/** The video site of a URL, whatever the page. */
export const platformOf = ({ protocol, hostname, port }: URL): VideoPlatform | undefined =>
  protocol === 'https:' && port === ''
    ? (Object.keys(hosts) as VideoPlatform[]).find((platform) => hosts[platform].includes(hostname))
    : undefined;
