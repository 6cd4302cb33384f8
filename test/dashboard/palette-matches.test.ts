import { expect, test } from 'vitest';
import { matchesOf } from '../../dashboard/app/palette-matches.ts';

const lighthouse = { label: 'Um farol à beira-mar', detail: 'Imagem · Concluída', words: '0193a5c4 pedido-7' };
const entries = [{ label: 'Tarefas' }, lighthouse];

test.each(['', 'FAROL', 'a beira', 'concluida farol', '0193a5', 'PEDIDO-7'])(
  'the dashboard’s search for “%s” finds a task',
  (typed) => {
    expect(matchesOf(entries, typed)).toContain(lighthouse);
  },
);

test('the dashboard’s search finds nothing that lacks one of the words', () => {
  expect(matchesOf(entries, 'farol tarefas')).toEqual([]);
});
