/** The texts about how long tasks keep their results and inputs, in Brazilian Portuguese. */
import type { enRetention } from './en-retention.ts';

export const ptBrRetention: typeof enRetention = {
  title: 'Retenção',
  hint: 'Quantos dias após a criação os dados de uma tarefa são apagados. Uma mudança vale para as tarefas criadas depois dela.',
  results: 'Dias para resultados',
  resultsHint: 'Vazio: pelo tempo em que o serviço guarda resultados.',
  inputs: 'Dias para pedidos e seus textos',
  inputsHint: 'Vazio: enquanto a tarefa existir. Créditos, horários e o status da tarefa ficam sempre.',
  invalid: (most) => `Informe um número inteiro de 1 a ${most}, ou deixe o campo vazio.`,
  save: 'Salvar',
  saved: 'Salvo.',
};
