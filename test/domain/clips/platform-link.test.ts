/** Links to video platforms, as people copy them, and URLs that only resemble them. */
import { describe, expect, it } from 'vitest';
import { exampleLinks, platformLinkIn } from '../../../shared/domain/clips/platform-link.ts';
import { platformOf } from '../../../shared/domain/clips/platform-of.ts';

const youtube = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
const tiktok = 'https://m.tiktok.com/v/7106594312292453675.html';
const instagram = 'https://www.instagram.com/reel/CyZ-3kLr_9a/';

const forms: Readonly<Record<string, readonly string[]>> = {
  [youtube]: [
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://youtube.com/watch?v=dQw4w9WgXcQ',
    'https://m.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=RDAMVMdQw4w9WgXcQ',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s',
    'https://www.youtube.com/watch?t=1m2s&v=dQw4w9WgXcQ',
    'https://www.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ&ab_channel=RickAstley',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLFgquLnL59alCl_2TQvOiD5Vgm1hCaGSI&index=3&pp=iAQB',
    'https://www.youtube.com/watch?feature=share&v=dQw4w9WgXcQ#t=10',
    'https://www.youtube.com/watch/dQw4w9WgXcQ',
    'https://WWW.YouTube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com:443/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?t=42',
    'https://youtu.be/dQw4w9WgXcQ?si=B_RZg_I-lLaa7UU-',
    'https://youtu.be/dQw4w9WgXcQ?list=PLFgquLnL59alCl_2TQvOiD5Vgm1hCaGSI',
    'https://www.youtube.com/shorts/dQw4w9WgXcQ',
    'https://youtube.com/shorts/dQw4w9WgXcQ?feature=share',
    'https://m.youtube.com/shorts/dQw4w9WgXcQ/',
    'https://www.youtube.com/live/dQw4w9WgXcQ?si=abc',
    'https://youtube.com/live/dQw4w9WgXcQ?feature=shared',
    'https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0&start=5',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
    'https://www.youtube.com/v/dQw4w9WgXcQ?version=3',
    'https://www.youtube.com/e/dQw4w9WgXcQ',
    'https://www.youtube.com/attribution_link?a=8g8kPrPIi-ecwIsS&u=/watch%3Fv%3DdQw4w9WgXcQ%26feature%3Dem-uploademail',
    'https://gaming.youtube.com/watch?v=dQw4w9WgXcQ',
  ],
  [tiktok]: [
    'https://www.tiktok.com/@scout2015/video/7106594312292453675',
    'https://tiktok.com/@scout2015/video/7106594312292453675',
    'https://www.tiktok.com/@scout2015/video/7106594312292453675?is_from_webapp=1&sender_device=pc&web_id=7000000000000000000',
    'https://www.tiktok.com/@scout2015/video/7106594312292453675?lang=pt-BR',
    'https://www.tiktok.com/@ana.souza-99_/video/7106594312292453675?_r=1&_t=8abc',
    'https://www.tiktok.com/@/video/7106594312292453675',
    'https://m.tiktok.com/v/7106594312292453675.html',
    'https://m.tiktok.com/v/7106594312292453675.html?u_code=0&preview_pb=0',
    'https://lite.tiktok.com/@scout2015/video/7106594312292453675',
    'https://www.tiktok.com/embed/7106594312292453675',
    'https://www.tiktok.com/embed/v2/7106594312292453675',
    'https://www.tiktok.com/player/v1/7106594312292453675?loop=1',
    'https://www.tiktok.com/share/video/7106594312292453675',
    'https://www.tiktok.com/video/7106594312292453675',
  ],
  'https://vm.tiktok.com/ZMNuqbRsY/': ['https://vm.tiktok.com/ZMNuqbRsY/', 'https://vm.tiktok.com/ZMNuqbRsY?k=1'],
  'https://vt.tiktok.com/ZSR8Vd5Xk/': ['https://vt.tiktok.com/ZSR8Vd5Xk/', 'https://vt.tiktok.com/ZSR8Vd5Xk'],
  'https://www.tiktok.com/t/ZTRC5xgJp/': [
    'https://www.tiktok.com/t/ZTRC5xgJp/',
    'https://tiktok.com/t/ZTRC5xgJp?sender=x',
  ],
  [instagram]: [
    'https://www.instagram.com/reel/CyZ-3kLr_9a/',
    'https://instagram.com/reel/CyZ-3kLr_9a',
    'https://www.instagram.com/reels/CyZ-3kLr_9a/',
    'https://www.instagram.com/p/CyZ-3kLr_9a/',
    'https://www.instagram.com/tv/CyZ-3kLr_9a/',
    'https://m.instagram.com/p/CyZ-3kLr_9a/?hl=pt-br',
    'https://www.instagram.com/reel/CyZ-3kLr_9a/?igsh=MzRlODBiNWFlZA==&utm_source=qr',
    'https://www.instagram.com/p/CyZ-3kLr_9a/?img_index=2&taken-by=ana',
    'https://www.instagram.com/ana.souza/reel/CyZ-3kLr_9a/',
    'https://www.instagram.com/ana_souza/p/CyZ-3kLr_9a/?hl=en',
    'https://www.instagram.com/reel/CyZ-3kLr_9a/embed/captioned/',
    'https://instagr.am/p/CyZ-3kLr_9a/',
  ],
  'https://www.instagram.com/share/reel/BAJXh8fYbF/': ['https://www.instagram.com/share/reel/BAJXh8fYbF'],
  'https://www.instagram.com/share/BAJXh8fYbF/': ['https://www.instagram.com/share/BAJXh8fYbF'],
};

const lookAlikes = [
  'https://youtube.com.evil.com/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com.br.evil.net/watch?v=dQw4w9WgXcQ',
  'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
  'https://my-youtube.com/watch?v=dQw4w9WgXcQ',
  'https://youtube.co/watch?v=dQw4w9WgXcQ',
  'https://youtubе.com/watch?v=dQw4w9WgXcQ',
  'https://xn--youtub-7of.com/watch?v=dQw4w9WgXcQ',
  'https://youtube.com@evil.com/watch?v=dQw4w9WgXcQ',
  'https://evil.com/youtube.com/watch?v=dQw4w9WgXcQ',
  'https://evil.com/?u=https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://evil.com#https://youtu.be/dQw4w9WgXcQ',
  'https://www.youtube.com:8443/watch?v=dQw4w9WgXcQ',
  'http://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'ftp://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://yout-ube.com/watch?v=dQw4w9WgXcQ',
  'https://youtu.be.evil.com/dQw4w9WgXcQ',
  'https://youtu.bee/dQw4w9WgXcQ',
  'https://img.youtube.com/vi/dQw4w9WgXcQ/0.jpg',
  'https://youtube-nocookie.com.evil.com/embed/dQw4w9WgXcQ',
  'https://youtube.googleapis.com/v/dQw4w9WgXcQ',
  'https://tiktok.com.evil.com/@a/video/7106594312292453675',
  'https://tik-tok.com/@a/video/7106594312292453675',
  'https://tiktokcdn.com/@a/video/7106594312292453675',
  'https://vmtiktok.com/ZMNuqbRsY/',
  'https://vm.tiktok.com.evil.com/ZMNuqbRsY/',
  'https://tiktok.co/t/ZTRC5xgJp/',
  'https://instagram.com.evil.com/reel/CyZ-3kLr_9a/',
  'https://lnstagram.com/reel/CyZ-3kLr_9a/',
  'https://ddinstagram.com/reel/CyZ-3kLr_9a/',
  'https://www-instagram.com/reel/CyZ-3kLr_9a/',
  'https://instagr.am.evil.com/p/CyZ-3kLr_9a/',
  'https://scontent.cdninstagram.com/v/CyZ-3kLr_9a.mp4',
  'not a link',
];

/** URLs of a platform that do not identify a single video. */
const otherPages = [
  'https://www.youtube.com/',
  'https://www.youtube.com/watch',
  'https://www.youtube.com/watch?v=short',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQx',
  'https://www.youtube.com/watch?v=',
  'https://www.youtube.com/@RickAstleyYT',
  'https://www.youtube.com/channel/UCuAXFkgsw1L7xaCfnd5JJOw',
  'https://www.youtube.com/playlist?list=PLFgquLnL59alCl_2TQvOiD5Vgm1hCaGSI',
  'https://www.youtube.com/embed/videoseries?list=PLFgquLnL59alCl_2TQvOiD5Vgm1hCaGSI',
  'https://www.youtube.com/embed/live_stream?channel=UCuAXFkgsw1L7xaCfnd5JJOw',
  'https://www.youtube.com/results?search_query=dQw4w9WgXcQ',
  'https://www.youtube.com/attribution_link?u=https://evil.com/watch?v=dQw4w9WgXcQ',
  'https://youtu.be/',
  'https://www.tiktok.com/@scout2015',
  'https://www.tiktok.com/@scout2015/photo/7106594312292453675',
  'https://www.tiktok.com/@scout2015/live',
  'https://www.tiktok.com/tag/cafe',
  'https://www.tiktok.com/@scout2015/video/12',
  'https://vm.tiktok.com/',
  'https://www.instagram.com/ana.souza/',
  'https://www.instagram.com/stories/ana.souza/3141592653589793238/',
  'https://www.instagram.com/reels/audio/1234567890/',
  'https://www.instagram.com/explore/tags/cafe/',
  'https://www.instagram.com/reel/',
];

describe('a link to a video on a platform', () => {
  const cases = Object.entries(forms).flatMap(([url, links]) => links.map((link) => ({ link, url })));

  it('is tested in at least sixty forms, and against at least thirty look-alikes', () => {
    expect(cases.length).toBeGreaterThanOrEqual(60);
    expect(lookAlikes.length).toBeGreaterThanOrEqual(30);
  });

  it.each(cases)('is recognized in the form $link', ({ link, url }) => {
    expect(platformLinkIn(link)?.url).toBe(url);
  });

  it('keeps the video’s id, and is recognized in its canonical form too', () => {
    expect(platformLinkIn('https://youtu.be/dQw4w9WgXcQ?t=1')).toMatchObject({
      platform: 'youtube',
      id: 'dQw4w9WgXcQ',
    });
    expect(platformLinkIn(tiktok)).toMatchObject({ platform: 'tiktok', id: '7106594312292453675' });
    expect(platformLinkIn(instagram)).toMatchObject({ platform: 'instagram', id: 'CyZ-3kLr_9a' });
    for (const url of Object.keys(forms)) expect(platformLinkIn(url)?.url).toBe(url);
    for (const [platform, example] of Object.entries(exampleLinks)) {
      expect(platformLinkIn(example)?.platform).toBe(platform);
    }
  });
});

it.each(lookAlikes)('the URL %s is not mistaken for a page of a video platform', (link) => {
  const url = URL.parse(link);
  expect(url && platformOf(url)).toBeFalsy();
  expect(platformLinkIn(link)).toBeUndefined();
});

it.each(otherPages)('the URL %s is a page of a video platform, but not of a single video', (link) => {
  expect(platformOf(new URL(link))).toBeDefined();
  expect(platformLinkIn(link)).toBeUndefined();
});
