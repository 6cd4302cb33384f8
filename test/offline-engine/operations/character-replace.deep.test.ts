import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedShare, type ImageEngine, meanColor, sample, seen, startImageEngine } from '../image-client.ts';

let engine: ImageEngine;
beforeAll(async () => {
  engine = await startImageEngine();
});
afterAll(() => engine.close());

describe('character replacement', () => {
  it('places the person in the lower middle of a scene without people, and keeps the rest of the scene', async () => {
    const input = { imageUrl: engine.at('rocket.jpg'), characterImage: engine.at('astronaut.jpg'), prompt: 'any' };
    const made = await engine.make('character-replace', input);
    const scene = await seen(await sample('rocket.jpg'));
    expect([made.width, made.height, made.format, made.hasAlpha]).toEqual([480, 320, 'png', false]);
    expect(changedShare(made, scene, { left: 190, top: 230, width: 40, height: 60 })).toBeGreaterThan(0.9);
    expect(changedShare(made, scene, { left: 0, top: 0, width: 480, height: 60 })).toBe(0);
    expect(changedShare(made, scene, { left: 400, top: 0, width: 80, height: 300 })).toBe(0);
    const [red, , blue] = meanColor(made, { left: 180, top: 220, width: 40, height: 40 });
    expect(red - blue).toBeGreaterThan(40);
  });

  it.each([
    [200, 1],
    [300, 8],
    [1, 300],
    [8, 300],
    [2, 2],
    [1, 1],
  ])('places a character in a scene of %i by %i pixels', async (width, height) => {
    const scene = sharp({ create: { width, height, channels: 3, background: '#357' } }).png();
    const input = { imageUrl: engine.put(await scene.toBuffer()), characterImage: engine.at('astronaut.jpg') };
    expect(await engine.make('character-replace', input)).toMatchObject({ width, height });
  });

  it('replaces the person in the scene completely', async () => {
    const column =
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="300"><rect width="200" height="300" fill="#eee"/><rect x="70" y="30" width="60" height="240" rx="20" fill="#1565c0"/></svg>';
    const characterImage = engine.put(await sharp(Buffer.from(column)).png().toBuffer());
    const made = await engine.make('character-replace', { imageUrl: engine.at('astronaut.jpg'), characterImage });
    const scene = await seen(await sample('astronaut.jpg'));
    expect([made.width, made.height]).toEqual([512, 512]);
    const [red, , blue] = meanColor(made, { left: 250, top: 100, width: 30, height: 300 });
    expect(blue).toBeGreaterThan(red + 60);
    expect(changedShare(made, scene, { left: 60, top: 300, width: 120, height: 150 })).toBeGreaterThan(0.95);
    const [redOfSuit, , blueOfSuit] = meanColor(scene, { left: 60, top: 330, width: 70, height: 100 });
    const [redNow, , blueNow] = meanColor(made, { left: 60, top: 330, width: 70, height: 100 });
    expect(redNow - blueNow).toBeLessThan((redOfSuit - blueOfSuit) / 2);
    expect(changedShare(made, scene, { left: 340, top: 0, width: 172, height: 200 })).toBe(0);
  });
});
