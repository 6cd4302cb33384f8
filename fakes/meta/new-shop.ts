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

/**
 * Conversations by channel: the name and username of a person, and messages with how many hours ago they were written
 * (newest last), `<` from the person or `>` to the person.
 */
const talks: Readonly<Record<Channel, string>> = {
  instagram: `
Marina Lopes @marinalopes
5.2 < Oi! Vocês entregam em Campinas?
5 > Oi, Marina! Entregamos sim, o prazo é de 3 dias úteis.
1.4 < Que bom! E o vaso azul ainda está disponível?
1.3 < Queria para o aniversário da minha mãe, no sábado 💙
Rafael Nunes @rafa.nunes
3 < Boa tarde, meu pedido 1042 chegou com uma xícara trincada. Como faço para trocar?
Bia Carvalho @biacarvalho_
30 < Vocês dão oficina para crianças?
29 > Damos! Todo domingo às 10h. Quer que eu reserve?
20 < Quero sim, para duas meninas de 7 anos.
19.5 > Reservado! Até domingo 😊
Thiago Prado @thiagoprado
80 < Qual o valor do conjunto de pratos?
79 > O conjunto com seis sai por R$ 420,00.
78 < Obrigado, vou pensar.`,
  facebook: `
Dona Célia Ramos @celia.ramos
8 < Bom dia! A loja abre no feriado?
7.5 > Bom dia! Abrimos das 9h às 13h.
2 < Perfeito, passo aí então. Tem estacionamento?
João Pedro Farias @joaopedro.farias
26 < Vocês fazem caneca personalizada para empresa? Seriam umas 60.
Lívia Teles @livia.teles
50 < Adorei a aula de ontem!
49 > Que alegria, Lívia! Volte sempre.`,
};

/**
 * Posts: how many hours ago each was published and its caption, and comments, each by the person of a conversation
 * (from 0) or, with `>`, by the page in reply to the previous one.
 */
const posts = `
26 Fornada nova: vasos azuis, pratos e canecas. Tudo feito à mão. 🌻
25 0 Que lindo esse azul! Quanto custa o vaso?
24.5 > Obrigada! O vaso sai por R$ 189,00 🌻
6 1 Vai ao micro-ondas?
4 2 Quero a caneca! Como compro?
75 Oficina de domingo: ainda temos quatro vagas.
70 2 Minhas filhas amaram a última 😍
69 0 Precisa levar alguma coisa?
68 > Não precisa, o material está incluso.
240 Do barro ao forno: um dia no nosso ateliê.`;

function addTalks(records: MetaRecords, { id: pageId, channel }: SandboxPage, now: number): readonly Person[] {
  const people: Person[] = [];
  for (const line of talks[channel].trim().split('\n')) {
    const [, name = '', username = ''] = /^(\D.*) @(.+)$/.exec(line) ?? [];
    const [, hoursAgo, direction, text = ''] = /^([\d.]+) ([<>]) (.+)$/.exec(line) ?? [];
    const at = now - Number(hoursAgo) * hour;
    const state = { isWindowClosed: false, seenAt: null };
    if (name) people.push(records.put({ kind: 'person', id: newPersonId(), pageId, name, username, ...state }));
    const [personId, isOwn] = [people.at(-1)?.id ?? '', direction === '>'];
    const message = { kind: 'message', id: newMessageId(), pageId, personId, isOwn, text, imageUrl: null, at } as const;
    if (direction) records.put({ ...message, isDeleted: false, readAt: isOwn ? at : null });
  }
  return people;
}

function addPosts(records: MetaRecords, page: SandboxPage, people: readonly Person[], now: number): void {
  const { id: pageId, channel } = page;
  let [postId, commentId] = ['', ''];
  for (const line of posts.trim().split('\n')) {
    const [, hoursAgo, by, text = ''] = /^([\d.]+) (?:(\d|>) )?(.+)$/.exec(line) ?? [];
    const at = now - Number(hoursAgo) * hour;
    if (by === undefined) {
      postId = records.put<SandboxPost>({ kind: 'post', id: newPostId(page), pageId, caption: text, at }).id;
      continue;
    }
    const [parentId, personId] = by === '>' ? [commentId, null] : [null, people[Number(by)]?.id ?? null];
    commentId = newCommentId(channel, postId);
    const marks = { isHidden: false, isLiked: false, likes: 0, isDeleted: false };
    records.put({ kind: 'comment', id: commentId, pageId, postId, parentId, personId, text, at, ...marks });
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
    addPosts(records, page, addTalks(records, page, now), now);
    return page;
  });
}
