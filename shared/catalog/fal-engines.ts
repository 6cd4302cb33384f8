/**
 * How fal.ai makes pictures: models and their inputs as fal documents them (docs.fal.ai, model pages; 2026-11). Skin is
 * enhanced by words: no model of theirs has levels of its own, so how a level becomes words is our choice.
 */
import type { EngineChoice } from './engine-choice.ts';

const nanoBanana = 'fal-ai/nano-banana-2';
const nanoBananaPro = 'fal-ai/nano-banana-pro';

const skinWords = `(
  $band := function($level, $none, $some, $much) { $level = 0 ? $none : $level <= 50 ? $some : $much };
  {
    "prompt": $join([
      "Retouch only the skin of the people in this photo so that it looks real. Keep features, expression, hair, clothes, background, framing and colours exactly as they are.",
      $band(textureLevel, "Add no texture to the skin.", "Add a subtle natural micro-texture to the skin.", "Add a pronounced natural micro-texture to the skin."),
      $band(poresDetail, "Do not add pores.", "Let fine pores be visible.", "Let pores be clearly visible."),
      lightingFix ? "Even out uneven light on the skin." : "Do not change the light."
    ], " "),
    "image_urls": [imageUrl],
    "aspect_ratio": aspectRatio,
    "num_images": 1,
    "output_format": "png"
  }
)`;

const portraitWords =
  '$join(["Photorealistic portrait of a person who does not exist, for use as a brand influencer.", description, gender = "auto" ? "" : "Gender: " & (gender = "feminino" ? "female" : "male") & ".", $exists(ageRange) ? "Age: " & ageRange & " years." : ""], " ")';

/** The models have no field for what is not to be shown. */
const pictureWords =
  '($exists(negativePrompt) and negativePrompt != "" ? prompt & "\n\nDo not show: " & negativePrompt : prompt)';

export const falEngines = {
  voice: {
    routes: [
      {
        engine: 'fal',
        model: 'fal-ai/elevenlabs/tts/multilingual-v2',
        // The model knows its voices by name alone.
        takes: { voiceId: 'absent' },
        input:
          '{ "text": text, "voice": $uppercase($substring(voice, 0, 1)) & $substring(voice, 1), "stability": stability, "similarity_boost": similarityBoost }',
      },
    ],
  },
  image: {
    routes: [
      {
        engine: 'fal',
        model: nanoBanana,
        input: `{ "prompt": ${pictureWords}, "aspect_ratio": aspectRatio, "num_images": numImages, "seed": seed, "output_format": "png" }`,
      },
      {
        engine: 'fal',
        model: 'fal-ai/flux-pro/v1.1',
        takes: { aspectRatio: ['1:1', '16:9', '9:16', '4:3', '3:4'] },
        input: `{ "prompt": ${pictureWords}, "num_images": numImages, "seed": seed, "output_format": "png", "image_size": $lookup({ "1:1": "square_hd", "16:9": "landscape_16_9", "9:16": "portrait_16_9", "4:3": "landscape_4_3", "3:4": "portrait_4_3" }, aspectRatio) }`,
      },
    ],
  },
  'image-edit': {
    routes: [
      {
        engine: 'fal',
        model: `${nanoBanana}/edit`,
        input:
          '{ "prompt": $exists(maskUrl) ? prompt & "\n\nThe second image is a mask of the first: change only what is white in it." : prompt, "image_urls": $append($append([imageUrl], maskUrl), referenceImages), "aspect_ratio": "auto", "num_images": 1, "output_format": "png" }',
      },
    ],
  },
  'character-replace': {
    routes: [
      {
        engine: 'fal',
        model: `${nanoBananaPro}/edit`,
        input:
          '{ "prompt": "Replace the main person of the first image by the person of the second one. Keep the scene, the pose, the framing and the light. " & prompt, "image_urls": [imageUrl, characterImage], "aspect_ratio": "auto", "num_images": 1, "output_format": "png" }',
      },
    ],
  },
  'background-remove': {
    routes: [
      {
        engine: 'fal',
        model: 'fal-ai/birefnet/v2',
        // The model leaves nothing behind what it cuts out, and knows no colours.
        takes: { background: ['transparent'] },
        input:
          '{ "image_url": imageUrl, "model": "General Use (Light)", "refine_foreground": true, "output_format": format }',
      },
    ],
  },
  'image-upscale': {
    routes: [
      {
        engine: 'fal',
        model: 'fal-ai/seedvr/upscale/image',
        input: '{ "image_url": imageUrl, "upscale_mode": "factor", "upscale_factor": scale, "output_format": "png" }',
      },
      { engine: 'fal', model: 'fal-ai/esrgan', input: '{ "image_url": imageUrl, "scale": scale }' },
    ],
  },
  influencer: {
    routes: [
      {
        engine: 'fal',
        model: nanoBananaPro,
        takes: { referenceImages: 'absent' },
        input: `{ "prompt": ${portraitWords}, "aspect_ratio": aspectRatio, "num_images": 1, "output_format": "png" }`,
      },
      {
        engine: 'fal',
        model: `${nanoBananaPro}/edit`,
        takes: { referenceImages: 'given' },
        input: `{ "prompt": ${portraitWords} & " Go by the given images.", "image_urls": $append([], referenceImages), "aspect_ratio": aspectRatio, "num_images": 1, "output_format": "png" }`,
      },
    ],
  },
  'skin-enhance': { routes: [{ engine: 'fal', model: `${nanoBanana}/edit`, input: skinWords }] },
} as const satisfies Readonly<Record<string, EngineChoice>>;
