/** The part of the table of contents that a batch needs: which file implements which generation operation. */

import type { Generations } from '../shared/runtime/batch-lambda.ts';
import { definition as changeVoice } from './generate/change-voice.ts';
import { definition as editImage } from './generate/edit-image.ts';
import { definition as enhanceSkin } from './generate/enhance-skin.ts';
import { definition as generateCortes } from './generate/generate-cortes.ts';
import { definition as generateCreativeVideo } from './generate/generate-creative-video.ts';
import { definition as generateImage } from './generate/generate-image.ts';
import { definition as generateInfluencer } from './generate/generate-influencer.ts';
import { definition as generateStudioVideo } from './generate/generate-studio-video.ts';
import { definition as generateUgcVideo } from './generate/generate-ugc-video.ts';
import { definition as generateVoice } from './generate/generate-voice.ts';
import { definition as imitateVideo } from './generate/imitate-video.ts';
import { definition as removeBackground } from './generate/remove-background.ts';
import { definition as replaceCharacter } from './generate/replace-character.ts';
import { definition as upscaleImage } from './generate/upscale-image.ts';

export const generations = {
  changeVoice,
  editImage,
  enhanceSkin,
  generateCortes,
  generateCreativeVideo,
  generateImage,
  generateInfluencer,
  generateStudioVideo,
  generateUgcVideo,
  generateVoice,
  imitateVideo,
  removeBackground,
  replaceCharacter,
  upscaleImage,
} satisfies Generations;
