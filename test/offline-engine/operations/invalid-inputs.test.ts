/** Inputs that operations reject immediately, by the name of the invalid field. */
import { expect, it } from 'vitest';
import { findOperation } from '../../../offline-engine/operations/operations.ts';
import { voiceInput } from '../engine-client.ts';

const image = 'https://example.com/a.png';
const creative = { prompt: 'Um farol' };
const ugc = { template: 'general', combinedImages: [image], action: 'sorri', speech: 'Olha!' };
const cortes = { videoUrl: 'https://example.com/a.mp4', seconds: 15, clipCount: 3 };
const { text: _, ...voice } = voiceInput();
const change = { ...voice, audioUrl: 'https://example.com/a.mp3' };
const studio = {
  resolution: '480p',
  aspectRatio: '9:16',
  durationSec: 4,
  scene: { mode: { slug: 'unboxing' } },
  speechPolicy: 'optional',
  product: { title: 'Caneca azul', description: 'Feita à mão.', images: [image] },
};

const valid = [
  ['voice', voiceInput()],
  ['voice', voiceInput({ text: '😀'.repeat(2000), voice: undefined, voiceId: 'x' })],
  ['voice-change', change],
  ['video-creative', creative],
  ['video-ugc', ugc],
  ['video-studio', { ...studio, line: '😀'.repeat(2000) }],
  ['cortes', cortes],
] as const;

it.each(valid)('the operation %s accepts a valid input (case %#)', async (operation, input) => {
  expect((await findOperation(operation))?.complaintAbout(input)).toBeUndefined();
});

it.each([
  ['voice', voiceInput(), [{ text: '' }, { text: '😀'.repeat(2001) }, { voice: 'unknown' }, { voiceId: '' }]],
  ['voice', voiceInput(), [{ voice: undefined }, { stability: 1.01 }, { similarityBoost: -0.01 }]],
  ['voice', voiceInput({ voiceId: 'x' }), [{ voice: 'unknown' }]],
  ['voice-change', change, [{ voice: undefined }, { voice: 'unknown' }, { stability: 1.01 }]],
  ['voice-change', change, [{ audioUrl: undefined }, { audioUrl: 'file:///etc/passwd' }]],
  ['skin-enhance', { imageUrl: image }, [{ textureLevel: 101 }, { imageUrl: undefined }]],
  ['image', creative, [{ prompt: '' }, { numImages: 5 }, { aspectRatio: '2:1' }, { seed: -1 }]],
  ['image-upscale', { imageUrl: image }, [{ scale: 3 }, { imageUrl: 'http://example.com/a.png' }]],
  ['background-remove', { imageUrl: image }, [{ background: 'red' }]],
  ['influencer', { name: 'x', description: 'y' }, [{ description: undefined }]],
  ['video-creative', creative, [{ prompt: '' }, { durationSec: 3 }, { durationSec: 11 }, { resolution: '4k' }]],
  ['video-ugc', ugc, [{ combinedImages: [] }, { combinedImages: [image, image, image] }]],
  ['video-ugc', ugc, [{ template: 'drone' }, { speech: '' }]],
  ['video-studio', studio, [{ product: { ...studio.product, images: [] } }, { durationSec: 16 }, { durationSec: 3 }]],
  ['video-studio', studio, [{ resolution: '1080p' }, { aspectRatio: 'auto' }]],
  ['cortes', cortes, [{ clipCount: 0 }, { clipCount: 21 }, { seconds: 10_801 }, { aspectRatio: '21:9' }]],
  ['cortes', cortes, [{ videoUrl: 'file:///a' }]],
] as const)('the operation %s names the field of each invalid input (case %#)', async (name, input, wrong) => {
  const operation = await findOperation(name);
  for (const changes of wrong) {
    const [field = ''] = Object.keys(changes);
    expect(operation?.complaintAbout({ ...input, ...changes }), JSON.stringify(changes)).toContain(field);
  }
});
