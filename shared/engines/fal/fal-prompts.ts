/** Prompts that express parameters for which fal.ai's models have no fields. */
import type { ModelRequest } from '../model.ts';

const sentences = (...parts: readonly (string | false | undefined)[]): string => parts.filter(Boolean).join(' ');

export const imagePrompt = ({ prompt, negativePrompt }: ModelRequest<'image'>): string =>
  negativePrompt ? `${prompt}\n\nDo not show: ${negativePrompt}` : prompt;

export const editPrompt = ({ prompt, maskUrl }: ModelRequest<'image-edit'>): string =>
  maskUrl === undefined
    ? prompt
    : `${prompt}\n\nThe second image is a mask of the first: change only what is white in it.`;

export const characterPrompt = ({ prompt }: ModelRequest<'character-replace'>): string =>
  sentences(
    'Replace the main person of the first image with the person of the second image.',
    'Keep the scene, the pose, the framing and the light.',
    prompt,
  );

export const portraitPrompt = ({ description, gender, ageRange }: ModelRequest<'influencer'>): string =>
  sentences(
    'Photorealistic portrait of a person who does not exist, for use as a brand influencer.',
    description,
    gender !== 'auto' && `Gender: ${gender === 'feminino' ? 'female' : 'male'}.`,
    ageRange && `Age: ${ageRange} years.`,
  );

/** Selects a wording for a level from 0 to 100, because no model accepts numeric levels. */
const worded = (level: number, none: string, some: string, much: string): string => {
  if (level === 0) return none;
  return level <= 50 ? some : much;
};

export const skinPrompt = ({ textureLevel, poresDetail, lightingFix }: ModelRequest<'skin-enhance'>): string =>
  sentences(
    'Retouch only the skin of the people in this photo so that it looks real. Keep features, expression, hair, clothes, background, framing and colors exactly as they are.',
    worded(
      textureLevel,
      'Add no texture to the skin.',
      'Add a subtle natural micro-texture to the skin.',
      'Add a pronounced natural micro-texture to the skin.',
    ),
    worded(poresDetail, 'Do not add pores.', 'Let fine pores be visible.', 'Let pores be clearly visible.'),
    lightingFix ? 'Even out uneven light on the skin.' : 'Do not change the light.',
  );
