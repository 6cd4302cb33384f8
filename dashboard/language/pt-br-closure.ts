/** The texts about closing the account and opening it again, in Brazilian Portuguese. */
import { daysBetweenReopenings } from '../../shared/contracts/limits.ts';
import type { enClosure } from './en-closure.ts';

export const ptBrClosure: typeof enClosure = {
  title: 'Encerrar a conta',
  hint: (days) =>
    `Você pode desfazer durante ${days} dias, se não o tiver feito nos últimos ${daysBetweenReopenings} dias. Depois disso, tudo é apagado.`,
  start: 'Encerrar a conta…',
  dialogTitle: 'Encerrar esta conta?',
  atOnce: 'Na hora: todos os tokens param de vez, e suas outras sessões terminam.',
  soon: 'Em minutos: as tarefas abertas são canceladas e os créditos delas devolvidos; pedidos não pagos e assinaturas são cancelados.',
  later: (days) =>
    `Depois de ${days} dias: textos, arquivos, resultados, páginas conectadas com suas mensagens e o seu acesso são apagados, e os créditos que restam se perdem.`,
  kept: 'O que fica, sem o seu nome: o histórico de créditos, pedidos e pagamentos, que a lei tributária exige. Os meios de pagamento mantêm seus próprios registros.',
  close: 'Encerrar a conta',
  closedTitle: 'Sua conta está encerrada',
  closedLead: (moment) => `Você pode reabri-la até ${moment}. Depois ela é apagada, e isso não tem volta.`,
  closedForGood: (moment) =>
    `Ela será apagada em ${moment}. Agora só o operador do serviço pode reabri-la: você a reabriu nos últimos ${daysBetweenReopenings} dias, ou o operador também a encerrou.`,
  erasing: 'O prazo para reabrir acabou. A conta está sendo apagada.',
  reopen: 'Reabrir a conta',
  reopenHint: 'Seus tokens continuam revogados, e o que foi cancelado continua cancelado: crie novos tokens depois.',
};
