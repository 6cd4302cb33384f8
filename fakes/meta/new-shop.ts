/** Creates a shop with a page on each channel and some messages. */
import { randomBytes, randomInt } from 'node:crypto';
import { type Channel, channels } from '../../shared/contracts/channels.ts';
import type { MetaRecords, Person, SandboxPage, SandboxPost } from './meta-records.ts';

const digits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join('');

export const newToken = (channel: Channel): string =>
  `${channel === 'instagram' ? 'IGAA' : 'EAAG'}${randomBytes(36).toString('base64url')}`;

export const newMessageId = (): string => `m_${randomBytes(24).toString('base64url')}`;

export const newPersonId = (): string => `7${digits(15)}`;

export const newCommentId = (channel: Channel, postId: string): string =>
  channel === 'instagram' ? `179${digits(14)}` : `${postId.split('_')[1]}_${digits(15)}`;

const newPostId = ({ channel, id }: SandboxPage): string =>
  channel === 'instagram' ? `180${digits(14)}` : `${id}_${digits(15)}`;

const shops = [
  ['Ateliê Girassol', 'atelie.girassol'],
  ['Casa do Barro', 'casadobarro'],
  ['Flor de Maio', 'flordemaio.loja'],
  ['Oficina Mirante', 'oficina.mirante'],
] as const;

const hour = 3_600_000;

/** A message: how many hours ago (newest last), its direction (`in` is from the person), and its text. */
type Line = readonly [hoursAgo: number, direction: 'in' | 'out', text: string];

interface Talk {
  readonly name: string;
  readonly username: string;
  readonly lines: readonly Line[];
}

const talks: Readonly<Record<Channel, readonly Talk[]>> = {
  instagram: [
    {
      name: 'Marina Lopes',
      username: 'marinalopes',
      lines: [
        [5.2, 'in', 'Oi! Vocês entregam em Campinas?'],
        [5, 'out', 'Oi, Marina! Entregamos sim, o prazo é de 3 dias úteis.'],
        [1.4, 'in', 'Que bom! E o vaso azul ainda está disponível?'],
        [1.3, 'in', 'Queria para o aniversário da minha mãe, no sábado 💙'],
      ],
    },
    {
      name: 'Rafael Nunes',
      username: 'rafa.nunes',
      lines: [[3, 'in', 'Boa tarde, meu pedido 1042 chegou com uma xícara trincada. Como faço para trocar?']],
    },
    {
      name: 'Bia Carvalho',
      username: 'biacarvalho_',
      lines: [
        [30, 'in', 'Vocês dão oficina para crianças?'],
        [29, 'out', 'Damos! Todo domingo às 10h. Quer que eu reserve?'],
        [20, 'in', 'Quero sim, para duas meninas de 7 anos.'],
        [19.5, 'out', 'Reservado! Até domingo 😊'],
      ],
    },
    {
      name: 'Thiago Prado',
      username: 'thiagoprado',
      lines: [
        [80, 'in', 'Qual o valor do conjunto de pratos?'],
        [79, 'out', 'O conjunto com seis sai por R$ 420,00.'],
        [78, 'in', 'Obrigado, vou pensar.'],
      ],
    },
  ],
  facebook: [
    {
      name: 'Dona Célia Ramos',
      username: 'celia.ramos',
      lines: [
        [8, 'in', 'Bom dia! A loja abre no feriado?'],
        [7.5, 'out', 'Bom dia! Abrimos das 9h às 13h.'],
        [2, 'in', 'Perfeito, passo aí então. Tem estacionamento?'],
      ],
    },
    {
      name: 'João Pedro Farias',
      username: 'joaopedro.farias',
      lines: [[26, 'in', 'Vocês fazem caneca personalizada para empresa? Seriam umas 60.']],
    },
    {
      name: 'Lívia Teles',
      username: 'livia.teles',
      lines: [
        [50, 'in', 'Adorei a aula de ontem!'],
        [49, 'out', 'Que alegria, Lívia! Volte sempre.'],
      ],
    },
  ],
};

interface Remark {
  /**
   * The index of the conversation whose participant wrote the comment; `page` for the page's reply to the previous
   * comment.
   */
  readonly by: number | 'page';
  readonly hoursAgo: number;
  readonly text: string;
}

interface Story {
  readonly caption: string;
  readonly hoursAgo: number;
  readonly remarks: readonly Remark[];
}

const stories: readonly Story[] = [
  {
    caption: 'Fornada nova: vasos azuis, pratos e canecas. Tudo feito à mão. 🌻',
    hoursAgo: 26,
    remarks: [
      { by: 0, hoursAgo: 25, text: 'Que lindo esse azul! Quanto custa o vaso?' },
      { by: 'page', hoursAgo: 24.5, text: 'Obrigada! O vaso sai por R$ 189,00 🌻' },
      { by: 1, hoursAgo: 6, text: 'Vai ao micro-ondas?' },
      { by: 2, hoursAgo: 4, text: 'Quero a caneca! Como compro?' },
    ],
  },
  {
    caption: 'Oficina de domingo: ainda temos quatro vagas.',
    hoursAgo: 75,
    remarks: [
      { by: 2, hoursAgo: 70, text: 'Minhas filhas amaram a última 😍' },
      { by: 0, hoursAgo: 69, text: 'Precisa levar alguma coisa?' },
      { by: 'page', hoursAgo: 68, text: 'Não precisa, o material está incluso.' },
    ],
  },
  { caption: 'Do barro ao forno: um dia no nosso ateliê.', hoursAgo: 240, remarks: [] },
];

function addTalk(records: MetaRecords, page: SandboxPage, { name, username, lines }: Talk, now: number): Person {
  const person = records.put<Person>({
    kind: 'person',
    id: newPersonId(),
    pageId: page.id,
    name,
    username,
    isWindowClosed: false,
    seenAt: null,
  });
  for (const [hoursAgo, direction, text] of lines) {
    const at = now - hoursAgo * hour;
    records.put({
      kind: 'message',
      id: newMessageId(),
      pageId: page.id,
      personId: person.id,
      isOwn: direction === 'out',
      text,
      imageUrl: null,
      at,
      isDeleted: false,
      readAt: direction === 'out' ? at : null,
    });
  }
  return person;
}

function addStory(records: MetaRecords, page: SandboxPage, story: Story, people: readonly Person[], now: number): void {
  const { caption, hoursAgo, remarks } = story;
  const at = now - hoursAgo * hour;
  const post = records.put<SandboxPost>({ kind: 'post', id: newPostId(page), pageId: page.id, caption, at });
  let parentId: string | null = null;
  for (const { by, hoursAgo: ago, text } of remarks) {
    const id = newCommentId(page.channel, post.id);
    const common = { kind: 'comment', id, pageId: page.id, postId: post.id, text, at: now - ago * hour } as const;
    const marks = { isHidden: false, isLiked: false, likes: text.length % 5, isDeleted: false };
    const personId = by === 'page' ? null : (people[by % people.length]?.id ?? null);
    records.put({ ...common, parentId: by === 'page' ? parentId : null, personId, ...marks });
    if (by !== 'page') parentId = id;
  }
}

/** Creates the pages, to which no one has access yet. */
export function newShop(records: MetaRecords, owner: string, now: number): SandboxPage[] {
  const number = records.all('page').length / channels.length;
  const [shopName, handle] = shops[number % shops.length] ?? shops[0];
  const count = Math.floor(number / shops.length);
  const suffix = count === 0 ? '' : ` ${count + 1}`;
  return channels.map((channel) => {
    const page = records.put<SandboxPage>({
      kind: 'page',
      id: channel === 'instagram' ? `17841${digits(12)}` : `10${digits(13)}`,
      channel,
      owner,
      name: shopName + suffix,
      username: handle + suffix.trim(),
      userId: `2${digits(15)}`,
      tokens: [],
      subscribedFields: [],
    });
    const people = talks[channel].map((talk) => addTalk(records, page, talk, now));
    for (const story of stories) addStory(records, page, story, people, now);
    return page;
  });
}
