import { describe, expect, it } from 'vitest';
import { type Looks, looksIn } from '../../../offline-engine/image/described-looks.ts';

const nothing = { beard: false, glasses: false, freckles: false, earrings: false };
const looks = ({ has = {}, ...said }: Omit<Partial<Looks>, 'has'> & { has?: Partial<Looks['has']> } = {}) => ({
  ...said,
  has: { ...nothing, ...has },
});

describe('the looks that a description mentions', () => {
  it.each([
    [
      'barba branca, pele escura, cabelo curto',
      looks({ gender: 'male', skin: 'dark', hairLength: 'short', beardColor: 'white', has: { beard: true } }),
    ],
    [
      'a bearded man with long black hair and dark skin',
      looks({ gender: 'male', skin: 'dark', hairColor: 'black', hairLength: 'long', has: { beard: true } }),
    ],
    [
      'mujer de piel clara, pelo rubio y largo, sin gafas',
      looks({ gender: 'female', skin: 'light', hairColor: 'blond', hairLength: 'long' }),
    ],
    ['homem careca sem barba', looks({ gender: 'male', hairLength: 'none' })],
    ['Chef, ruiva, de óculos', looks({ gender: 'female', hairColor: 'red', has: { glasses: true } })],
    [
      'A woman with short red hair, freckles and earrings',
      looks({ gender: 'female', hairColor: 'red', hairLength: 'short', has: { freckles: true, earrings: true } }),
    ],
    ['Brown eyes, fair skin, man', looks({ gender: 'male', skin: 'light' })],
    ['mulher negra de cabelos longos', looks({ gender: 'female', skin: 'dark', hairLength: 'long' })],
    ['Moda e café', looks()],
  ])('are found in "%s"', (description, expected) => expect(looksIn(description)).toEqual(expected));
});
