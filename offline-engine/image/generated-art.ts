/** Procedural art: a small neural network with random weights that colors every point (a "CPPN"). */
import { type Image, resizeImage } from './image.ts';
import type { Plane } from './plane.ts';
import { noiseAt, type SeededRandom, seededRandom, seedOf } from './seeded-random.ts';

type Activation = (value: number) => number;

/** Similar to the hyperbolic tangent, but several times as fast. */
const squash: Activation = (value) => value / Math.sqrt(1 + value * value);

const activations: readonly [Activation, ...Activation[]] = [
  squash,
  Math.sin,
  (value) => Math.exp(-value * value) * 2 - 1,
  (value) => squash(value * 3),
];

interface Layer {
  readonly weights: Float32Array;
  readonly activation: Activation;
}

const inputs = 6;
const neurons = 14;
const outputs = 2;

const layerOf = (random: SeededRandom, from: number, to: number, spread: number, activation: Activation): Layer => ({
  weights: Float32Array.from({ length: from * to }, () => random.normal() * spread),
  activation,
});

const networkOf = (random: SeededRandom): readonly Layer[] => {
  const deeper = (gain: number, activation: Activation) =>
    layerOf(random, neurons, neurons, gain / Math.sqrt(neurons), activation);
  return [
    layerOf(random, inputs, neurons, random.between(1.1, 1.7), squash),
    deeper(1.7, random.pick(activations)),
    deeper(random.between(1.8, 2.6), Math.sin),
    deeper(1.6, random.pick(activations)),
    layerOf(random, neurons, outputs, 1.8 / Math.sqrt(neurons), squash),
  ];
};

const run = (network: readonly Layer[], input: Float32Array, buffers: readonly Float32Array[]): Float32Array => {
  let from = input;
  for (const [index, { weights, activation }] of network.entries()) {
    const to = buffers[index] ?? new Float32Array(neurons);
    for (let neuron = 0; neuron < to.length; neuron += 1) {
      let sum = 0;
      const start = neuron * from.length;
      for (let place = 0; place < from.length; place += 1) sum += (from[place] ?? 0) * (weights[start + place] ?? 0);
      to[neuron] = activation(sum);
    }
    from = to;
  }
  return from;
};

type Colour = readonly [number, number, number];

/** Converts hue (turns), saturation and lightness (0 to 1) to channels of 0 to 255. */
export const colourOf = (hue: number, saturation: number, lightness: number): Colour => {
  const channel = (offset: number) => {
    const place = (offset + hue * 12 + 1200) % 12;
    const part = saturation * Math.min(lightness, 1 - lightness);
    return 255 * (lightness - part * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  };
  return [channel(0), channel(8), channel(4)];
};

/** Five colors from dark to light: neighboring hues and an opposite one, so that any two harmonize. */
const paletteOf = (random: SeededRandom): readonly Colour[] => {
  const hue = random.next();
  const turn = random.pick([0.06, 0.09, -0.07, 0.12] as const);
  const accent = hue + random.pick([0.42, 0.5, 0.58] as const);
  return [
    colourOf(hue, 0.55, 0.09),
    colourOf(hue + turn, 0.6, 0.27),
    colourOf(hue + 2 * turn, 0.62, 0.48),
    colourOf(accent, 0.62, 0.62),
    colourOf(accent + turn, 0.6, 0.87),
  ];
};

const paint = (palette: readonly Colour[], share: number, channel: number): number => {
  const place = Math.min(0.9999, Math.max(0, share)) * (palette.length - 1);
  const index = Math.floor(place);
  const from = palette[index]?.[channel] ?? 0;
  const to = palette[index + 1]?.[channel] ?? from;
  return from + (to - from) * (place - index);
};

/** The network's two outputs for every point: the color and the height of the surface. */
const fieldsOf = (random: SeededRandom, width: number, height: number): readonly [Plane, Plane] => {
  const network = networkOf(random);
  const [turnX, turnY] = [random.normal() * 0.7, random.normal() * 0.7];
  const [centreX, centreY] = [random.between(-0.5, 0.5), random.between(-0.5, 0.5)];
  const buffers = network.map((_, index) => new Float32Array(index === network.length - 1 ? outputs : neurons));
  const input = new Float32Array(inputs);
  const scale = 2.6 / Math.min(width, height);
  const [tones, heights] = [new Float32Array(width * height), new Float32Array(width * height)];
  for (let index = 0; index < tones.length; index += 1) {
    const u = ((index % width) - width / 2) * scale - centreX;
    const v = (Math.floor(index / width) - height / 2) * scale - centreY;
    input.set([u, v, Math.hypot(u, v), 1, turnX, turnY]);
    const [tone = 0, rise = 0] = run(network, input, buffers);
    tones[index] = tone;
    heights[index] = 0.6 * tone + 0.4 * rise;
  }
  return [
    { width, height, values: tones },
    { width, height, values: heights },
  ];
};

const bins = 512;

/** Gives every color of the palette about the same area, by rank blended with the value itself. */
const shareOf = ({ values }: Plane): ((value: number) => number) => {
  const binOf = (value: number) => Math.min(bins - 1, Math.floor(((value + 1) / 2) * bins));
  const ranks = new Float32Array(bins);
  for (const value of values) ranks[binOf(value)] = (ranks[binOf(value)] ?? 0) + 1;
  for (let bin = 1; bin < bins; bin += 1) ranks[bin] = (ranks[bin] ?? 0) + (ranks[bin - 1] ?? 0);
  const rankAt = (place: number) => (ranks[Math.min(bins - 1, Math.max(0, place))] ?? 0) / values.length;
  return (value) => {
    const place = ((value + 1) / 2) * bins - 0.5;
    const [bin, part] = [Math.floor(place), place - Math.floor(place)];
    return 0.7 * (rankAt(bin) * (1 - part) + rankAt(bin + 1) * part) + 0.3 * ((value + 1) / 2);
  };
};

/** Lights the surface from the upper left, with shading in its folds and highlights. */
const lightOn = ({ width, height, values }: Plane) => {
  const steepness = Math.min(width, height) / 9;
  return (x: number, y: number) => {
    // Border pixels use the slope of their neighbors.
    const at = Math.min(height - 2, Math.max(1, y)) * width + Math.min(width - 2, Math.max(1, x));
    const slopeX = ((values[at + 1] ?? 0) - (values[at - 1] ?? 0)) * steepness;
    const slopeY = ((values[at + width] ?? 0) - (values[at - width] ?? 0)) * steepness;
    const facing = (0.45 * slopeX + 0.55 * slopeY + 0.7) / Math.sqrt(slopeX * slopeX + slopeY * slopeY + 1);
    return { gain: 0.62 + 0.5 * Math.max(0, facing), gleam: 90 * Math.max(0, facing) ** 18 };
  };
};

/** Computed at a quarter of the size, because it is smooth. */
const shrinking = 4;

/** An image that depends only on the seed. */
export const generatedArt = async (seed: string, width: number, height: number): Promise<Image> => {
  const random = seededRandom(seed);
  const palette = paletteOf(random);
  const [columns, rows] = [Math.ceil(width / shrinking), Math.ceil(height / shrinking)];
  const [tones, heights] = fieldsOf(random, columns, rows);
  const share = shareOf(tones);
  const light = lightOn(heights);
  const ditherSeed = seedOf(seed);
  const pixels = new Uint8ClampedArray(columns * rows * 4).fill(255);
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      const index = y * columns + x;
      const place = share(tones.values[index] ?? 0);
      const { gain, gleam } = light(x, y);
      for (let channel = 0; channel < 3; channel += 1) {
        const dither = noiseAt(x * 3 + channel, y, ditherSeed) * 4 - 2;
        pixels[index * 4 + channel] = paint(palette, place, channel) * gain + gleam + dither;
      }
    }
  }
  const small = { width: columns, height: rows, pixels: new Uint8Array(pixels.buffer), hasAlpha: false };
  return resizeImage(small, width, height, 'cubic');
};
