/** The texts for operators who see an account as its owner does, in Brazilian Portuguese. */
import type { enView } from './en-view.ts';

export const ptBrView: typeof enView = {
  banner: (email, time) => `Você vê esta conta como ${email} a vê. Somente leitura, até ${time}.`,
  end: 'Encerrar a visualização',
  refused: 'Operadores não podem ver nem mudar isto: a visualização é somente leitura.',
  endedTitle: 'Esta visualização terminou',
  ended: 'Comece outra na página do cliente, com um motivo.',
  toOperators: 'Ir para as páginas dos operadores',
};
