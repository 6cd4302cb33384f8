/** The pictures of what the Studio's default catalog has; an operator's own entries show their initial. */

const pictures: Readonly<Record<string, string>> = {
  depoimento: '🗣️',
  unboxing: '📦',
  'passo-a-passo': '👣',
  narracao: '🎙️',
  'oferta-relampago': '⚡',
  vitrine: '💎',
  provador: '👗',
  'estilo-de-vida': '🌿',
  'pergunta-direta': '❓',
  'segredo-revelado': '🤫',
  'erro-comum': '🚫',
  'antes-e-depois': '🔀',
  'primeira-impressao': '😮',
  'lista-rapida': '📝',
  desafio: '🏆',
  novidade: '✨',
  'ultima-chance': '⏰',
  'historia-pessoal': '📖',
  'estudio-claro': '💡',
  cozinha: '🍳',
  'banheiro-spa': '🛁',
  quarto: '🛏️',
  escritorio: '💼',
  academia: '🏋️',
  cafeteria: '☕',
  jardim: '🌷',
  'praia-por-do-sol': '🌅',
  'cidade-a-noite': '🌃',
};

export const Picture = ({ of }: { readonly of: string }) => (
  <span className="picture" aria-hidden="true">
    {pictures[of] ?? of.slice(0, 1).toUpperCase()}
  </span>
);
