import { expect, test } from 'vitest';
import { fieldsOf } from '../../dashboard/pages/playground/fields.ts';
import { enteredBy, valuesOfMode, valuesToBeginWith } from '../../dashboard/pages/playground/kept-values.ts';
import { generateContracts } from '../../shared/contracts/generate.ts';

const begin = (operation: keyof typeof generateContracts, entered: object) => {
  const contract = generateContracts[operation];
  return valuesToBeginWith(contract, fieldsOf(contract.body), { ...entered });
};

test('values entered for one operation are kept in another operation’s form if its fields accept them', () => {
  const { body: image } = generateContracts.generateImage.example;
  const video = begin('generateCreativeVideo', {});
  const entered = enteredBy(image, { ...image, prompt: 'A red boat', numImages: 3, aspectRatio: '3:2' });
  expect(entered).toMatchObject({ prompt: 'A red boat', numImages: 3 });
  // A video has no number of images, and not this ratio.
  expect(begin('generateCreativeVideo', entered)).toEqual({ ...video, prompt: 'A red boat' });
  expect(begin('generateCreativeVideo', { prompt: '' })).toEqual(video);
});

test('an unchanged example value is not kept when the operation changes', () => {
  const { body } = generateContracts.generateImage.example;
  expect(enteredBy(body, { ...body, seed: 7 })).toEqual({ seed: 7 });
});

test('products, avatars and uploads are not kept when the mode changes, because each mode has its own', () => {
  const values = {
    userPrompt: 'Oi',
    productId: 'p',
    avatarId: 'a',
    imageUrl: 'https://files.example/test',
    images: ['https://files.example/test', 'https://shop.example/mug.png'],
  };
  expect(valuesOfMode(values, (url) => url === 'https://files.example/test')).toEqual({
    userPrompt: 'Oi',
    images: ['https://shop.example/mug.png'],
  });
});
