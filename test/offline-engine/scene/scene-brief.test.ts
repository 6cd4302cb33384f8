import { describe, expect, test } from 'vitest';
import { sceneBrief } from '../../../offline-engine/scene/scene-brief.ts';
import { sceneryOf } from '../../../offline-engine/scene/scenery.ts';

/**
 * The objects that a prompt asks for, each with its count, the name of its drawing and its position: `1 dog beside`.
 */
const thingsOf = (prompt: string, negativePrompt?: string): string[] =>
  sceneBrief(prompt, negativePrompt).subjects.map(({ count, drawing, position }) =>
    [count, drawing, ...(position === undefined ? [] : [position])].join(' '),
  );

describe('a prompt for a drawn scene', () => {
  test.each([
    ['A red sneaker', ['1 running-shoe']],
    ['um gato', ['1 cat']],
    ['Três gatinhos e um cachorro', ['3 cat', '1 dog beside']],
    ['dez pinguins', ['10 penguin']],
    ['Wolves at night', ['3 wolf']],
    ['a field of sunflowers', ['12 sunflower']],
    ['um leão em cima de uma bola', ['1 lion', '1 soccer-ball on']],
    ['a cat under an umbrella in the rain', ['1 cat', '1 umbrella under']],
    ['um cachorro usando óculos e chapéu', ['1 dog', '1 glasses worn', '1 womans-hat worn']],
    ['A dog on the beach with a ball', ['1 dog', '1 soccer-ball beside']],
    ['ice cream', ['1 ice-cream']],
    ['a sofa', ['1 couch-and-lamp']],
    ['a cat on a sofa', ['1 cat']],
    ['Um farol ao amanhecer', []],
    ['óculos de sol', ['1 sunglasses']],
    ['um caminhão de bombeiros', ['1 fire-engine']],
    [
      'a basketball player and a tennis player',
      ['1 person-bouncing-ball', '1 person-running beside', '1 tennis beside'],
    ],
    ['two windmills', ['2 windmill']],
    ['Uma ponte sobre o rio', ['1 bridge']],
    ['a rainbow in the sky', []],
    ['minha avó e meu avô', ['1 old-woman', '1 old-man beside']],
    ['um casal na praia', ['1 woman', '1 man beside']],
    ['a plate of spaghetti', ['1 spaghetti']],
    ['bolo de três andares com um gato', ['1 birthday-cake', '1 cat beside']],
    ['a bowl of oranges', ['1 tangerine']],
    ['uma rosa', ['1 rose']],
  ])('“%s” makes the scene show %j', (prompt, things) => {
    expect(thingsOf(prompt)).toEqual(things);
  });

  test.each([
    ['a blue cat and a green dog', [215, 125]],
    ['um gato azul e um cachorro verde', [215, 125]],
    ['um balão vermelho e uma casa', [0, undefined]],
    ['under a blue sky, a dog', [undefined]],
    ['um cachorro, céu azul', [undefined]],
    ['um vestido rosa e uma rosa', [330, undefined]],
    ['um caminhão de mudança vermelho', [0]],
    ['a vintage green motorcycle', [125]],
  ])('“%s” gives each color to the thing that it describes', (prompt, hues) => {
    expect(sceneBrief(prompt).subjects.map(({ color }) => color?.hue)).toEqual(hues);
  });

  test.each([
    ['a car and a burning house', [undefined, true]],
    ['a house on fire and a car', [true, undefined]],
    ['um carro em frente a um prédio em chamas', [undefined, true]],
  ])('“%s” sets only the thing on fire that is said to burn', (prompt, fires) => {
    expect(sceneBrief(prompt).subjects.map(({ isBurning }) => isBurning)).toEqual(fires);
    expect(sceneBrief(prompt, 'fire').subjects.map(({ isBurning }) => isBurning)).toEqual([undefined, undefined]);
  });

  test.each([
    ['a huge dog', 1.5],
    ['uma formiga minúscula', 0.5],
  ])('“%s” gives its subject the stated size', (prompt, size) => {
    expect(sceneBrief(prompt).subjects[0]?.size).toBe(size);
  });

  test.each([
    ['snowy mountains at sunset', { place: 'mountains', light: 'sunset', weather: ['snow'] }],
    ['Uma floresta com neblina de manhã', { place: 'woods', light: 'dawn', weather: ['fog'] }],
    ['um barco no mar em uma tempestade', { place: 'sea', light: 'day', weather: ['storm'] }],
    ['um jogo num estádio lotado', { place: 'stadium', light: 'day', weather: [] }],
    ['a cat under a rainbow', { place: undefined, light: 'day', weather: ['rainbow'] }],
    ['a night view of the milky way', { place: 'space', light: 'night', weather: [] }],
    ['A red sneaker', { place: undefined, light: 'day', weather: [] }],
  ])('“%s” sets the place, the time and the weather', (prompt, scenery) => {
    expect(sceneryOf(sceneBrief(prompt).words)).toEqual(scenery);
  });

  test('is read with its styles and with the action of its subject', () => {
    expect(sceneBrief('a bird flying, watercolor')).toMatchObject({ styles: ['watercolor'], action: 'fly' });
    expect(sceneBrief('um cavalo correndo, pintura a óleo')).toMatchObject({ styles: ['oil'], action: 'run' });
  });

  test('is read with the words that cannot be drawn, as they were written', () => {
    expect(sceneBrief('Uma onça comendo vatapá no Pantanal').unknown).toEqual(['vatapá', 'Pantanal']);
    expect(sceneBrief('a very beautiful cat').unknown).toEqual([]);
  });

  test('shows nothing that the negative prompt names', () => {
    expect(thingsOf('a cat and a dog in the rain', 'dogs, rain')).toEqual(['1 cat']);
    expect(sceneryOf(sceneBrief('a cat in the rain', 'rain').words).weather).toEqual([]);
    expect(sceneBrief('um gato, aquarela', 'aquarela').styles).toEqual([]);
    expect(sceneryOf(sceneBrief('um gato no campo, céu sem nuvens').words).weather).toEqual([]);
  });

  test.each(['', '!!!', '<b>&amp;</b>', '漢字 🎉', 'ção '.repeat(1000), 'cat '.repeat(1000)])(
    'of any text is read: %j',
    (prompt) => {
      expect(sceneBrief(prompt).subjects.length).toBeLessThanOrEqual(5);
    },
  );
});
