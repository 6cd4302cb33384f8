/** Builds the prompt for a Studio video from the catalog, the product and the avatar, in plain sentences. */
import type { ModelRequest } from '../model.ts';
import { oneLine, quoted } from './prompt-text.ts';

type StudioVideo = ModelRequest<'video-studio'>;

/** Truncates product descriptions, of which models need only the beginning. */
const longestDescription = 400;

const shortened = (text: string): string => {
  const letters = Array.from(oneLine(text));
  return letters.length <= longestDescription ? letters.join('') : `${letters.slice(0, longestDescription).join('')}…`;
};

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** The images in the order in which the prompt numbers them: the product's, then the avatar's. */
export const studioImages = ({ product, avatar }: StudioVideo): readonly string[] => [
  ...product.images,
  ...(avatar ? [avatar.image] : []),
];

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `@Image${index + 1}`).join(', ');

function speechSentence({ speechPolicy, line, avatar }: StudioVideo): string {
  if (speechPolicy === 'forbidden') return 'Nobody speaks: there is only music and the sound of the scene.';
  const speaker = avatar ? 'The presenter' : 'A voice-over';
  return line === undefined
    ? `${speaker} says one short, natural sentence in Brazilian Portuguese that recommends the product, without mentioning a price.`
    : `${speaker} says exactly this, word for word and nothing else: ${quoted(line)}`;
}

/** The most important information comes first, because some models read only the beginning. */
export function studioPrompt(request: StudioVideo): string {
  const { scene, product, avatar } = request;
  const images = product.images.length;
  const presenter = `The presenter is the person in @Image${images + 1}: keep their face, hair and clothes.`;
  return [
    `An advertisement for the product in ${numbered(images)}.`,
    scene.mode.direction,
    speechSentence(request),
    avatar && presenter,
    `The product is ${quoted(product.title)}: ${sentence(shortened(product.description))}`,
    'Keep its shape, colors and label exactly as in the images.',
    scene.setting && `The setting is ${scene.setting.direction}.`,
    scene.hook && `In the first two seconds, ${scene.hook.direction}.`,
    'End with the product in full view. Show no subtitles, no prices and no other written text.',
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}
