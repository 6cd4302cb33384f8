/** Edits that a prompt can request in Portuguese, English or Spanish, and a fallback for other prompts. */
import type { Sharp } from 'sharp';
import { composedWith, type Image, imageOf, pipelineOf } from './image.ts';
import { seededRandom } from './seeded-random.ts';

export interface Adjustment {
  readonly name: string;
  readonly apply: (image: Image) => Promise<Image>;
}

const byPipeline =
  (change: (pipeline: Sharp) => Sharp) =>
  (image: Image): Promise<Image> =>
    imageOf(change(pipelineOf(image)), image.hasAlpha);

/** Multiplies each channel by its gain and adds its offset (of 255); keeps transparency. */
const channels = (gains: readonly [number, number, number], offsets: readonly [number, number, number]) =>
  byPipeline((pipeline) => pipeline.linear([...gains, 1], [...offsets, 0]));

const blur = async (image: Image, share: number): Promise<Image> =>
  imageOf(pipelineOf(image).blur(Math.max(1, Math.min(image.width, image.height) * share)), image.hasAlpha);

/** Blurs everything but people; if there are none, everything but the center. */
const blurBackground = async (image: Image): Promise<Image> => {
  // The module is imported only here, because only this adjustment needs the neural network.
  const { personMask } = await import('./person-mask.ts');
  const person = await personMask(image);
  const { width, height } = image;
  const inMiddle = (index: number) => {
    const [x, y] = [(index % width) / width - 0.5, Math.floor(index / width) / height - 0.5];
    return 255 * Math.min(1, Math.max(0, (0.38 - Math.hypot(x, y)) / 0.12));
  };
  const mask = person.share > 0.03 ? await person.refine() : undefined;
  const blurred = await blur(image, 0.018);
  const pixels = Uint8Array.from(blurred.pixels);
  for (let index = 0; index < width * height; index += 1) {
    const sharpness = (mask ? (mask[index] ?? 0) : inMiddle(index)) / 255;
    for (let place = index * 4; place < index * 4 + 4; place += 1) {
      pixels[place] = Math.round((pixels[place] ?? 0) * (1 - sharpness) + (image.pixels[place] ?? 0) * sharpness);
    }
  }
  return { ...image, pixels };
};

const vignette = (image: Image): Promise<Image> => {
  const { width, height } = image;
  const shade = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><radialGradient id="v" cx="0.5" cy="0.5" r="0.75"><stop offset="0.55" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0.6"/></radialGradient></defs><rect width="${width}" height="${height}" fill="url(#v)"/></svg>`;
  return composedWith(image, [{ input: Buffer.from(shade), blend: image.hasAlpha ? 'atop' : 'over' }]);
};

const grayscale = byPipeline((pipeline) => pipeline.modulate({ saturation: 0 }));

/** The words that request the adjustment, as a pattern for the prompt in lower case and without accents. */
const known: readonly (Adjustment & { readonly asked: RegExp })[] = [
  {
    name: 'black and white',
    asked:
      /\b(black (and|&) white|b&w|monochrom\w*|gr[ae]y ?scale|preto e branco|blanco y negro|p&b|escala de (cinza|grises))/,
    apply: grayscale,
  },
  {
    name: 'brighter',
    asked:
      /\b(bright\w*|lighten\w*|lighter|more light|mais (clar\w+|luz|brilho|iluminad\w+)|clare(ar|ie|ia)\w*|ilumin(ar|e|a)\b|mas (clar\w+|luz|brillo|iluminad\w+)|aclar(ar|a|e)\b)/,
    apply: byPipeline((pipeline) => pipeline.modulate({ brightness: 1.22 })),
  },
  {
    name: 'darker',
    asked: /\b(dark(er|en)\w*|dimmer|mais escur\w+|escure(cer|ca|ce)\b|mas oscur\w+|oscure(cer|zca|ce)\b)/,
    apply: byPipeline((pipeline) => pipeline.modulate({ brightness: 0.76 })),
  },
  {
    name: 'warmer',
    asked:
      /\b(warm\w*|golden hour|sunset|mais quente|aquec\w+|tons quentes|hora dourada|por do sol|mas calid\w+|calid\w+|atardecer|hora dorada)/,
    apply: channels([1.12, 1.02, 0.85], [4, 2, 0]),
  },
  {
    name: 'cooler',
    asked: /\b(cool(er)?|cold(er)?|mais fri\w+|esfri\w+|tons frios|mas fri\w+|enfri\w+|tonos frios)\b/,
    apply: channels([0.86, 0.99, 1.14], [0, 0, 6]),
  },
  {
    name: 'more contrast',
    asked: /(?<!less |low |lower |menos )\b(contrast\w*|dramatic\w*)/,
    apply: channels([1.3, 1.3, 1.3], [-38, -38, -38]),
  },
  {
    name: 'blurred background',
    asked:
      /\b(blur\w* (the )?background|background blur|bokeh|(desfo[cq]|borr|desenfo[cq]|difumin)\w* (o |el )?f[uo]ndo|fundo (desfocad|borrad)\w+|fondo (desenfocad|borros|difuminad)\w+)/,
    apply: blurBackground,
  },
  { name: 'vignette', asked: /\b(vignett\w*|vinheta|vineta)/, apply: vignette },
];

/** Shifts the colors as the prompt determines, like film grading. */
const grade = (prompt: string): Adjustment => {
  const random = seededRandom(prompt);
  const [red, green, blue] = [random.between(0.72, 1.2), random.between(0.8, 1.1), random.between(0.72, 1.2)];
  const [warm, cool] = [random.between(-20, 30), random.between(-20, 30)];
  return { name: 'color grade', apply: channels([red, green, blue], [warm, 8, cool]) };
};

interface Adjustments {
  /** The adjustments that a prompt requests, in the order of the table; never empty. */
  readonly adjustments: readonly Adjustment[];
  /** Whether the prompt names a known adjustment; if not, a color grade is applied instead. */
  readonly isUnderstood: boolean;
}

export const adjustmentsFor = (prompt: string): Adjustments => {
  const plain = prompt.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const asked = known.filter((adjustment) => adjustment.asked.test(plain));
  const isUnderstood = asked.length > 0;
  return { adjustments: isUnderstood ? asked : [grade(prompt)], isUnderstood };
};
