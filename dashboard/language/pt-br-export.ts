/** The texts about the export of the account, in Brazilian Portuguese. */
import type { enExport } from './en-export.ts';

export const ptBrExport: typeof enExport = {
  title: 'Seus dados',
  hint: 'Tudo sobre a sua conta em um arquivo ZIP: perfil, créditos, tarefas com os textos, resultados, arquivos, pedidos, sessões, páginas e mensagens. Ele nunca contém tokens nem senhas.',
  request: 'Solicitar arquivo',
  requestAgain: 'Solicitar um novo arquivo',
  requestTitle: 'Solicitar um arquivo com os seus dados?',
  requestText: (hours) =>
    `Ele é feito em segundo plano. Você pode baixá-lo aqui por ${hours} horas; depois ele é apagado. Ele substitui um arquivo anterior.`,
  download: 'Baixar',
  downloadTitle: 'Baixar os seus dados',
  downloadText: 'O arquivo contém dados pessoais: guarde-o onde outras pessoas não possam lê-lo.',
  making: 'O arquivo está sendo feito.',
  progress: (rows, files, size) => `${rows} registros e ${files} arquivos (${size}) até agora`,
  ready: (size, until) => `O arquivo está pronto: ${size}, até ${until}.`,
  leftOut: (files) => `${files} arquivos não estão nele; about.json, dentro do arquivo, diz quais e por quê.`,
  failed: 'O arquivo não pôde ser feito. Solicite-o de novo; se falhar outra vez, avise o operador do serviço.',
  expired: 'O último arquivo foi apagado.',
};
