/**
 * `video-ugc`: a person who speaks a line, filmed in the style of a template: the camera moves over the first image,
 * then over the last; the line is spoken, with lips that follow it, and shown as captions. `action` is not
 * performed.
 */
import * as z from 'zod';
import {
  ugcAccents,
  ugcEmotions,
  ugcGenders,
  ugcLanguages,
  ugcTemplates,
  ugcVideo,
  ugcVoiceTypes,
} from '../../shared/contracts/generate-videos.ts';
import { fetchImage } from '../image/fetch-image.ts';
import { prepareFonts } from '../image/fonts.ts';
import { ImageUrl } from '../image/image-url.ts';
import { operation } from '../operation.ts';
import { backgroundSound } from '../sound/background-sound.ts';
import { filtered, mixSounds, type Sound, secondsOfSound, type Track } from '../sound/sound.ts';
import { actedVoice } from '../speech/acting.ts';
import { spokenLanguage } from '../speech/spoken-language.ts';
import { speakLine } from '../speech/spoken-line.ts';
import { type Template, templates } from '../ugc/templates.ts';
import { ugcScene } from '../ugc/ugc-scene.ts';
import { encodeVideo } from '../video/encode-video.ts';

const { durationSec: seconds, ...size } = ugcVideo;
const speechStartSeconds = 0.5;
const longestSpeechSeconds = seconds - speechStartSeconds - 0.5;

const Input = z.object({
  template: z.enum(ugcTemplates),
  combinedImages: z.array(ImageUrl).min(1).max(2),
  action: z.string().min(1),
  speech: z.string().min(1).max(200),
  voiceType: z.enum(ugcVoiceTypes).default('auto'),
  emotion: z.enum(ugcEmotions).default('auto'),
  gender: z.enum(ugcGenders).default('auto'),
  language: z.enum(ugcLanguages).default('auto'),
  accent: z.enum(ugcAccents).default('auto'),
  backgroundSound: z.string().default(''),
  productDescription: z.string().default(''),
});

type Input = z.output<typeof Input>;

const languages = { 'pt-BR': 'pt-br', 'pt-PT': 'pt', 'en-US': 'en-us', 'es-ES': 'es' } as const;
const detected = { pt: 'pt-br', en: 'en-us', es: 'es-419' } as const;

const speechOf = async (input: Input, { isWhispered }: Template): Promise<Sound> => {
  const { speech: text, voiceType, language } = input;
  return speakLine({
    ...actedVoice({ ...input, voiceType: voiceType === 'auto' && isWhispered ? 'sussurro' : voiceType }),
    text,
    language: language === 'auto' ? detected[await spokenLanguage(text)] : languages[language],
    longestSeconds: longestSpeechSeconds,
  });
};

const soundOf = async (speech: Sound, description: string): Promise<Sound> => {
  const line: Track = { sound: speech, startSeconds: speechStartSeconds, loudnessDb: -18 };
  if (description.trim() === '') return mixSounds(seconds, [line]);
  return mixSounds(seconds, [line, { sound: await backgroundSound(description, seconds), loudnessDb: -33 }]);
};

export const videoUgc = operation(Input, async (input, context) => {
  await prepareFonts(context.filesDir);
  const images = [];
  for (const [index, url] of input.combinedImages.entries()) {
    images.push((await fetchImage(url, `combinedImages[${index}]`)).image);
  }
  context.progress(5);
  const template: Template = templates[input.template];
  const clear = await speechOf(input, template);
  const speech = template.soundsThin ? await filtered(clear, 'highpass=f=500,lowpass=f=2600') : clear;
  context.progress(12);
  const spoken = { startSeconds: speechStartSeconds, seconds: secondsOfSound(speech), sound: speech };
  const paint = await ugcScene({ size, seconds, template, images, words: input.speech, speech: spoken });
  const sound = await soundOf(speech, input.backgroundSound);
  const remark =
    'Sandbox video by the offline engine: camera motion over the given images, lips and speech synthesized.';
  const video = { size, seconds, paint, sound, remark, grain: template.grain };
  return [await encodeVideo(video, context, (share) => context.progress(15 + 83 * share))];
});
