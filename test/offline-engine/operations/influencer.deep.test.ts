import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedShare, type ImageEngine, meanColor, startImageEngine } from '../image-client.ts';

let engine: ImageEngine;
beforeAll(async () => {
  engine = await startImageEngine();
});
afterAll(() => engine.close());

const portray = (changes: object = {}) =>
  engine.make('influencer', {
    name: 'Luana Prado',
    description: 'Moda e café',
    gender: 'auto',
    aspectRatio: '3:4',
    ...changes,
  });
const head = { left: 200, top: 300, width: 460, height: 500 };

describe('influencer generation', () => {
  it('draws a portrait in the requested aspect ratio', async () => {
    expect(await portray()).toMatchObject({ format: 'png', width: 864, height: 1152, hasAlpha: false });
    expect(await portray({ aspectRatio: '9:16' })).toMatchObject({ width: 768, height: 1344 });
    expect(await portray({ aspectRatio: '21:9' })).toMatchObject({ width: 1536, height: 640 });
  });

  it('draws the same persona for the same name and description, and a different one if either differs', async () => {
    const [one, same, other] = await Promise.all([portray(), portray(), portray({ description: 'Surf e praia' })]);
    expect(one.bytes.equals(same.bytes)).toBe(true);
    expect(changedShare(one, other, head)).toBeGreaterThan(0.1);
  });

  it('draws the requested gender and age', async () => {
    const [woman, man, elder] = await Promise.all([
      portray({ gender: 'feminino' }),
      portray({ gender: 'masculino' }),
      portray({ gender: 'feminino', description: 'Avó grisalha', ageRange: '51+' }),
    ]);
    expect(changedShare(woman, man, head)).toBeGreaterThan(0.03);
    expect(changedShare(woman, elder, head)).toBeGreaterThan(0.03);
  });

  it('draws the skin color that the description mentions', async () => {
    const face = { left: 390, top: 560, width: 60, height: 60 };
    const brightness = async (description: string) =>
      meanColor(await portray({ description }), face)
        .slice(0, 3)
        .reduce((sum, value) => sum + value);
    const [dark, light] = await Promise.all([brightness('homem de pele escura'), brightness('homem de pele clara')]);
    expect(light - dark).toBeGreaterThan(150);
  });

  it('uses the color of the first reference image for the backdrop', async () => {
    const corner = { left: 20, top: 20, width: 100, height: 100 };
    const [red, , blue] = meanColor(await portray({ referenceImages: [engine.at('coffee.png')] }), corner);
    const [redOfNight, , blueOfNight] = meanColor(
      await portray({ referenceImages: [engine.at('rocket.jpg')] }),
      corner,
    );
    expect(red - blue).toBeGreaterThan(redOfNight - blueOfNight + 20);
  });
});
