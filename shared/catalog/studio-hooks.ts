/** The default hooks of Studio videos: how a video captures attention in its first seconds. */
import type { StudioHook } from './studio.ts';

export const defaultHooks: readonly StudioHook[] = [
  {
    id: 'pergunta-direta',
    name: 'Pergunta direta',
    description: 'Começa com uma pergunta que o público já se fez.',
    title: 'Você ainda faz isso?',
    direction: 'open with a direct question to the viewer, who recognizes the situation at once',
  },
  {
    id: 'segredo-revelado',
    name: 'Segredo revelado',
    description: 'Promete mostrar o que quase ninguém sabe.',
    title: 'Ninguém te conta isso',
    direction: 'open as if a secret were about to be revealed, leaning in towards the camera',
  },
  {
    id: 'erro-comum',
    name: 'Erro comum',
    description: 'Aponta um erro que muita gente comete e mostra a saída.',
    title: 'Pare de fazer assim',
    direction: 'open with a common mistake that is stopped with a clear gesture',
  },
  {
    id: 'antes-e-depois',
    name: 'Antes e depois',
    description: 'Mostra logo de cara a diferença que o produto faz.',
    title: 'Olha a diferença',
    direction: 'open with a striking contrast between before and after',
  },
  {
    id: 'primeira-impressao',
    name: 'Primeira impressão',
    description: 'A reação sincera de quem vê o produto pela primeira vez.',
    title: 'Eu não esperava isso',
    direction: 'open with a genuine reaction of surprise at the first sight of the product',
  },
  {
    id: 'lista-rapida',
    name: 'Lista rápida',
    description: 'Anuncia três motivos, um atrás do outro.',
    title: '3 motivos para querer',
    direction: 'open by announcing three reasons in quick succession',
  },
  {
    id: 'desafio',
    name: 'Desafio',
    description: 'Convida o público a duvidar e a conferir até o fim.',
    title: 'Duvida? Então olha',
    direction: 'open with a playful challenge to a viewer who doubts it',
  },
  {
    id: 'novidade',
    name: 'Novidade',
    description: 'Apresenta o produto como quem acabou de receber um lançamento.',
    title: 'Acabou de chegar',
    direction: 'open like the launch of something new, revealing the product with excitement',
  },
  {
    id: 'ultima-chance',
    name: 'Última chance',
    description: 'Cria urgência sem falar de preço.',
    title: 'Só até acabar',
    direction: 'open with urgency, as if the last chance were passing, without mentioning prices',
  },
  {
    id: 'historia-pessoal',
    name: 'História pessoal',
    description: 'Começa com uma cena da vida de quem conta.',
    title: 'Aconteceu comigo',
    direction: 'open with a short personal moment that everybody can relate to',
  },
];
