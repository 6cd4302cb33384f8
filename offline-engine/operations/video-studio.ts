/**
 * `video-studio`: a short advertisement. The product is cut out and animated as its mode requires, in a drawn setting,
 * with the avatar if there is one, which talks, the hook as the title, the line as speech and captions, and a call to action at the
 * end.
 */
import * as z from 'zod';
import { aspectRatios } from '../../shared/contracts/image-files.ts';
import { speechPolicies, studioResolutions } from '../../shared/contracts/studio-catalog.ts';
import { videoFrame } from '../../shared/contracts/video-frame.ts';
import { advertScene } from '../advert/advert-scene.ts';
import { modeOf } from '../advert/modes.ts';
import { salesLine } from '../advert/sales-line.ts';
import { stageOf } from '../advert/stage.ts';
import { fetchImage } from '../image/fetch-image.ts';
import { prepareFonts } from '../image/fonts.ts';
import type { Image } from '../image/image.ts';
import { ImageUrl } from '../image/image-url.ts';
import { operation } from '../operation.ts';
import { backgroundMusic } from '../sound/background-sound.ts';
import { mixSounds, type Sound, secondsOfSound } from '../sound/sound.ts';
import { actedVoice } from '../speech/acting.ts';
import { spokenLanguage } from '../speech/spoken-language.ts';
import { speakLine } from '../speech/spoken-line.ts';
import { encodeVideo } from '../video/encode-video.ts';

const Input = z.object({
  resolution: z.enum(studioResolutions),
  aspectRatio: z.enum(aspectRatios),
  durationSec: z.int().min(4).max(15),
  scene: z.object({
    mode: z.object({ slug: z.string() }),
    hook: z.object({ id: z.string(), title: z.string() }).exactOptional(),
    setting: z.object({ id: z.string() }).exactOptional(),
  }),
  speechPolicy: z.enum(speechPolicies),
  line: z.string().exactOptional(),
  product: z.object({ title: z.string(), description: z.string(), images: z.array(ImageUrl).min(1).max(6) }),
  avatar: z.object({ name: z.string(), gender: z.string().exactOptional(), image: ImageUrl }).exactOptional(),
});

type Input = z.output<typeof Input>;

const startSeconds = 0.4;
const languages = { pt: 'pt-br', en: 'en-us', es: 'es-419' } as const;

/** The avatar's gender, which is given in the client's own words. */
const genderOf = ({ avatar }: Input) => {
  const said = avatar?.gender?.trim().toLowerCase() ?? '';
  if (/^(masc|male|m$|homem|man)/.test(said)) return 'masculino';
  return /^(fem|f$|mulher|woman)/.test(said) ? 'feminino' : 'auto';
};

interface Speech {
  readonly text: string;
  readonly sound: Sound;
}

async function speechOf(input: Input): Promise<Speech | undefined> {
  const { speechPolicy, product, durationSec } = input;
  if (speechPolicy === 'forbidden') return undefined;
  const longestSeconds = durationSec - startSeconds - 0.3;
  const text = input.line ?? salesLine(product, longestSeconds);
  const part = { gender: genderOf(input), voiceType: 'auto', emotion: 'empolgado', accent: 'auto' } as const;
  const sound = await speakLine({
    ...actedVoice(part),
    text,
    language: languages[await spokenLanguage(text)],
    longestSeconds,
  });
  return { text, sound };
}

/** The audio: music alone, or quiet music below the spoken line. */
const soundOf = async (speech: Speech | undefined, { durationSec, scene }: Input): Promise<Sound> => {
  const music = await backgroundMusic(scene.mode.slug, durationSec);
  if (!speech) return mixSounds(durationSec, [{ sound: music, loudnessDb: -20 }]);
  return mixSounds(durationSec, [
    { sound: speech.sound, startSeconds, loudnessDb: -17 },
    { sound: music, loudnessDb: -33 },
  ]);
};

async function imagesOf({ product, avatar }: Input) {
  const products: Image[] = [];
  for (const [index, url] of product.images.entries()) {
    products.push((await fetchImage(url, `product.images[${index}]`)).image);
  }
  const [first, ...others] = products;
  if (!first) throw new Error('the product has no image');
  return {
    products: [first, ...others] as const,
    avatar: avatar && (await fetchImage(avatar.image, 'avatar.image')).image,
  };
}

export const videoStudio = operation(Input, async (input, context) => {
  const { resolution, aspectRatio, durationSec: seconds, scene, product } = input;
  await prepareFonts(context.filesDir);
  const images = await imagesOf(input);
  context.progress(5);
  const speech = await speechOf(input);
  context.progress(10);
  const size = videoFrame(resolution, aspectRatio);
  const mode = modeOf(scene.mode.slug, images.avatar !== undefined);
  const place = scene.setting?.id ?? scene.mode.slug;
  const talk = { seconds, seed: product.title, speech: speech?.sound, startSeconds };
  const stage = await stageOf({ ...images, size, place, talk });
  context.progress(20);
  const line = speech && { text: speech.text, startSeconds, seconds: secondsOfSound(speech.sound) };
  const paint = await advertScene({ size, seconds, mode, hook: scene.hook?.title, title: product.title, line }, stage);
  const remark = 'Sandbox advertisement by the offline engine: animated images, synthesized speech and music.';
  const video = { size, seconds, paint, sound: await soundOf(speech, input), remark };
  return [await encodeVideo(video, context, (share) => context.progress(22 + 76 * share))];
});
