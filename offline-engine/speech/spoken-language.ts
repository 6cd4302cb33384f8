/** Detects which of the voices' three languages a text is in. */
export type SpokenLanguage = 'pt' | 'en' | 'es';

const languages: readonly SpokenLanguage[] = ['pt', 'en', 'es'];

const wordsOf = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** The most common words of each language; words that two languages share are in both lists and have no effect. */
const commonWords: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  pt: wordsOf(`
    a agora ainda amanhã ao aos aqui as assim até aproveite bela bem boa boas bom bons cada casa com como compre confira
    cheguei chegou clique da das de dela dele depois desse deste dia dias do dos e é ela ele eles em entre essa esse
    esta este está estão eu experimente fala faz fazer feliz foi frete galera gente grátis há hoje isso isto ja já la lá
    lhe loja mais mas me melhor meu minha mudou muito na não nas nem no noite nome nos nós nossa nosso nova novo num
    numa nunca o obrigada obrigado oferta oi ola olá onde os ou outra outro para pela pelo perca pode por porque pra
    preço preco pro promoção quando que quem quer quero são se seja sem sempre ser seu sim sua só tá tarde tchau te tem
    tempo teste também tudo um uma umas uns vai vamos vem ver vida vídeo voce você vocês voz à às`),
  en: wordsOf(`
    a about after again all an and are as at be been best but buy by can check click come could day deal deals did do
    does don't easy every everything feel find follow for free friends from get give go going good great had happy has
    have he hello help her here hey hi his how i i'm if in into is it it's its just know let let's life like limited
    link look love made make me more morning much my name need never new news night no not now of off offer on one only
    open or order our out over please ready sale say see she shop so some start stop take test than thank thanks that
    the their them then there these they this three time to today tomorrow tonight try two up us use video visit voice
    want was way we we're week welcome well were what when where which who why will with work world would yes you your`),
  es: wordsOf(`
    a adiós ahora al algo amor ante aprovecha aquí así aún bella bien buen buena buenas bueno buenos cada casa como
    compra con conoce cuando de del desde después día días disponible donde dónde e el él ella ellos en encanta entre
    envío era eres es esa ese eso está están esta estas este esto estoy fácil feliz fue gracias gratis ha hace hacer
    hacia han hasta hay haz hola hora hoy la las le les listo llamo llegó lo los luego mañana mas más me mejor mi mí mira
    mis mucho muy nada ni no noche noches nombre nos nosotros nuestra nuestro nueva nuevo nunca o oferta otra otro para
    pero pierdas por porque precio precios prueba puedes pues que qué quien quiero se sé ser si sí siempre sin sobre
    solo sólo somos son su sus también te tengo ti tiempo tiene tienda todo todos tu tú tus un una uno usted ustedes vamos
    ven video vida voy voz y ya yo`),
};

/** Letters that only one of the languages has. */
const ownLetters: Readonly<Record<SpokenLanguage, RegExp>> = {
  pt: /[ãõçâêôà]/u,
  en: /^$/,
  es: /[ñ¿¡]/u,
};

/** Spellings that are common in one of the languages and rare in the other two. */
const ownSpellings: Readonly<Record<SpokenLanguage, RegExp>> = {
  pt: /lh|nh|vel$|veis$|inho|eira$/u,
  en: /th|sh|ck|tion|ing$|wh|ght|oo|ee/u,
  es: /ción|ble$|bles$|dad$|[^q]ue|[^c]iento|uy/u,
};

const ownSpellingVotes = 0.5;
const ownLetterVotes = 1.25;
const ownLetterVotesInName = 0.4;
const guessVotes = 0.7;

/** A statistical guess, used only if it matters, because its language profiles take 0.1 s to load. */
const guessesFor = async (text: string) => {
  const { detectAll } = await import('tinyld');
  const ranked = detectAll(text, { only: [...languages] });
  return (language: SpokenLanguage) => (ranked.find(({ lang }) => lang === language)?.accuracy ?? 0) * guessVotes;
};

const isName = (word: string, index: number) => index > 0 && /^\p{Lu}\p{Ll}/u.test(word);

const votesOfWord = (language: SpokenLanguage, word: string, index: number): number => {
  const lower = word.toLowerCase().replace(/’/g, "'");
  const isCommon = commonWords[language].has(lower.replace(/^[¿¡']+|'+$/gu, ''));
  const known = (isCommon ? 1 : 0) + (ownSpellings[language].test(lower) ? ownSpellingVotes : 0);
  if (!ownLetters[language].test(lower)) return known;
  return known + (isName(word, index) ? ownLetterVotesInName : ownLetterVotes);
};

type Votes = (language: SpokenLanguage) => number;

const maxVotes = (votes: Votes): SpokenLanguage =>
  languages.reduce((best, language) => (votes(language) > votes(best) ? language : best));

/** Whether one language leads so far that no guess could change the result. */
const isDecided = (votes: Votes): boolean => {
  const [first = 0, second = 0] = languages.map(votes).toSorted((one, other) => other - one);
  return first - second > guessVotes;
};

/**
 * Each word is a vote for the languages that list it, and slightly more than one for the language whose own
 * letters it contains (less in a name: "Visit São Paulo" is English). A statistical guess is less than a vote, so it
 * decides only if words do not. A tie, or a text without words, counts as Portuguese.
 */
export const spokenLanguage = async (text: string): Promise<SpokenLanguage> => {
  const words = text.normalize('NFC').match(/[\p{L}\p{M}¿¡'’]+/gu) ?? [];
  const votes: Votes = (language) => words.reduce((sum, word, index) => sum + votesOfWord(language, word, index), 0);
  if (isDecided(votes)) return maxVotes(votes);
  const guesses = await guessesFor(text);
  return maxVotes((language) => votes(language) + guesses(language));
};
