import { expect, test } from 'vitest';
import { metaRecords } from '../../../fakes/meta/meta-records.ts';
import { newShop } from '../../../fakes/meta/new-shop.ts';

const hour = 3_600_000;
const now = 300 * hour;
const records = metaRecords(undefined);
const [instagram, facebook] = newShop(records, 'an owner', now);

test('a new shop has conversations in which people and the page have written', () => {
  const messagesWith = (name: string) => {
    const person = records.all('person').find((one) => one.name === name);
    return records
      .all('message')
      .filter(({ personId, pageId }) => personId === person?.id && pageId === person?.pageId)
      .map(({ isOwn, text, at, readAt }) => [isOwn, text, (now - at) / hour, readAt === at]);
  };
  expect(messagesWith('Dona Célia Ramos')).toEqual([
    [false, 'Bom dia! A loja abre no feriado?', 8, false],
    [true, 'Bom dia! Abrimos das 9h às 13h.', 7.5, true],
    [false, 'Perfeito, passo aí então. Tem estacionamento?', 2, false],
  ]);
  expect(records.all('person').filter(({ pageId }) => pageId === instagram?.id)).toHaveLength(4);
  expect(records.all('person').filter(({ pageId }) => pageId === facebook?.id)).toHaveLength(3);
});

test('a new page of the simulated network has posts with comments, to some of which it has replied', () => {
  const [post] = records.all('post').filter(({ pageId }) => pageId === facebook?.id);
  const comments = records.all('comment').filter(({ postId }) => postId === post?.id);
  const [question, answer] = comments;
  expect(post?.caption).toBe('Fornada nova: vasos azuis, pratos e canecas. Tudo feito à mão. 🌻');
  expect(comments.map(({ personId, parentId }) => [personId !== null, parentId])).toEqual([
    [true, null],
    [false, question?.id],
    [true, null],
    [true, null],
  ]);
  expect(answer?.text).toBe('Obrigada! O vaso sai por R$ 189,00 🌻');
});
