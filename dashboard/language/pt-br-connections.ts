/** The texts about connected pages, in Brazilian Portuguese. */
import type { enConnections } from './en-connections.ts';

export const ptBrConnections: typeof enConnections = {
  title: 'Páginas conectadas',
  hint: 'Suas páginas no Instagram e no Facebook, cujas mensagens e comentários você responde na caixa de entrada e pela API.',
  none: 'Nenhuma página está conectada.',
  notOffered: 'Este serviço não conecta páginas desta rede. Fale com quem o opera.',
  connect: 'Conectar',
  reconnect: 'Reconectar',
  disconnect: 'Desconectar',
  of: (action, name) => `${action}: ${name}`,
  states: { connected: 'Conectada', revoked: 'O acesso terminou', erasing: 'Desconectada' },
  since: (day) => `Conectada em ${day}`,
  synced: (time) => `Atualizada ${time}`,
  waiting: 'A caixa de entrada será copiada em instantes.',
  copying: (done, found) => `Copiando a caixa de entrada: ${done} de ${found} conversas e publicações até agora`,
  notes: {
    revoked: 'A rede não aceita mais o acesso que você deu. Reconecte a página para continuar respondendo.',
    erasing:
      'Nossa cópia das mensagens e dos comentários está sendo apagada. Em cerca de três minutos será possível conectar uma página de novo.',
  },
  faults: {
    throttled: 'A rede limita a velocidade de leitura. A caixa de entrada se atualiza sozinha mais tarde.',
    unavailable: 'A rede não responde no momento. A caixa de entrada se atualiza sozinha mais tarde.',
    incomplete: 'A rede não listou tudo. Ela será consultada de novo em alguns minutos.',
    failed: 'Não foi possível atualizar a caixa de entrada. Uma nova tentativa será feita em alguns minutos.',
  },
  disconnectTitle: (page) => `Desconectar ${page}?`,
  disconnectText:
    'O serviço perde o acesso à página na hora. Em alguns minutos, apaga sua cópia de todas as conversas, mensagens, publicações e comentários. Na própria rede nada muda.',
  connected: 'A página está conectada.',
  choose: 'Qual página você quer conectar?',
  chooseHint: (time) => `Você deu acesso a várias páginas. Escolha uma até ${time}.`,
  choiceOver: 'Não há mais o que escolher. Conecte a página de novo.',
  chooseOthers: 'Dar acesso a outras páginas',
  problems: {
    expired:
      'A conexão demorou demais, foi iniciada em outra aba ou navegador, ou já foi usada. Conecte a página de novo.',
    canceled: 'Você não deu acesso. Nada foi conectado.',
    'not-in-plan': 'Seu plano não inclui a caixa de entrada.',
    'not-offered': 'Este serviço não conecta páginas desta rede. Fale com quem o opera.',
    'no-page': 'Você não deu acesso a nenhuma página. Conecte de novo e escolha uma na janela da rede.',
    'network-down': 'A rede não está respondendo no momento. Tente de novo em alguns minutos.',
    rejected: 'A rede recusou o acesso. Conecte a página de novo.',
    erasing: 'O que foi copiado da página anterior ainda está sendo apagado. Tente de novo em alguns minutos.',
    'other-page': 'Outra página desta rede está conectada. Desconecte-a primeiro.',
    'other-account':
      'Esta página está conectada a outra conta deste serviço. Ela precisa ser desconectada lá primeiro.',
    changing: 'A conexão está mudando neste momento. Tente de novo.',
    'too-many': 'Muitas tentativas. Espere um minuto e tente de novo.',
    failed: 'Não foi possível conectar a página. Tente de novo.',
  },
};
