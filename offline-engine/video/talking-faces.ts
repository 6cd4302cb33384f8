/** Makes the faces of an image talk: lips that follow the loudness of speech, and eyes that blink. */
import { type Face, openFaceFinder, type Point } from '../image/face-finder.ts';
import { type Image, imageOf, pipelineOf } from '../image/image.ts';
import { seededRandom } from '../image/seeded-random.ts';
import { loudnessOver, type Sound } from '../sound/sound.ts';
import { framesPerSecond } from './encode-video.ts';
import type { Placed } from './scene.ts';
import { type Place, type Sprite, spriteOfImage } from './sprite.ts';

type Color = readonly [red: number, green: number, blue: number];

/** A distorted part of the image, such as an open mouth, and the offset of its center from the image's. */
interface Patch {
  readonly sprite: Sprite;
  readonly x: number;
  readonly y: number;
}

/**
 * The source of a pixel of a patch, as a vertical position relative to the patch's center, and how much of another
 * color covers it.
 */
interface Source {
  readonly v: number;
  readonly cover?: number;
  readonly color?: Color;
  /** The opacity of the patch at this pixel, from 0 to 1. */
  readonly opacity?: number;
}

interface Shape {
  readonly center: Point;
  /** Half of the width, and how far the shape extends upwards and downwards from its center. */
  readonly across: number;
  readonly up: number;
  readonly down: number;
  /** The inclination of the face. */
  readonly radians: number;
  /** The source of the pixel that is `u` to the right of the center and `v` below it. */
  readonly at: (u: number, v: number) => Source;
}

const clamped = (value: number): number => Math.min(1, Math.max(0, value));

/** The color of an image between its pixels, with alpha. */
function colorAt({ width, height, pixels }: Image, x: number, y: number): number[] {
  const [left, top] = [
    Math.min(width - 2, Math.max(0, Math.floor(x))),
    Math.min(height - 2, Math.max(0, Math.floor(y))),
  ];
  const [right, below] = [clamped(x - left), clamped(y - top)];
  const at = (column: number, row: number, channel: number) => pixels[4 * (row * width + column) + channel] ?? 0;
  return [0, 1, 2, 3].map((channel) => {
    const upper = at(left, top, channel) * (1 - right) + at(left + 1, top, channel) * right;
    const lower = at(left, top + 1, channel) * (1 - right) + at(left + 1, top + 1, channel) * right;
    return upper * (1 - below) + lower * below;
  });
}

/** Draws a patch; pixels outside of its shape are transparent. */
function patchOf(image: Image, { center, across, up, down, radians, at }: Shape): Patch {
  const reach = Math.ceil(Math.hypot(across, Math.max(up, down)));
  const side = 2 * reach + 1;
  const [middleX, middleY] = [Math.round(center.x), Math.round(center.y)];
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const pixels = new Uint8Array(4 * side * side);
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const [x, y] = [middleX + column - reach - center.x, middleY + row - reach - center.y];
      const [u, v] = [cos * x + sin * y, cos * y - sin * x];
      if (Math.abs(u) >= across || v <= -up || v >= down) continue;
      const { v: from, cover = 0, color = [0, 0, 0], opacity = 1 } = at(u, v);
      const [red = 0, green = 0, blue = 0, alpha = 0] = colorAt(
        image,
        center.x + cos * u - sin * from,
        center.y + sin * u + cos * from,
      );
      const mixed = [red, green, blue].map((value, index) => value + ((color[index] ?? 0) - value) * cover);
      pixels.set([...mixed, alpha * opacity], 4 * (row * side + column));
    }
  }
  const sprite = spriteOfImage({ width: side, height: side, pixels, hasAlpha: true });
  return { sprite, x: middleX + 0.5 - image.width / 2, y: middleY + 0.5 - image.height / 2 };
}

const inclination = ({ eyes: [right, left] }: Face): number => Math.atan2(left.y - right.y, left.x - right.x);

const mouthDark: Color = [62, 20, 24];
const teeth: Color = [236, 228, 220];
const lash: Color = [48, 30, 26];

/** The mouth, opened by a share from 0 to 1: the jaw moves down, the upper lip a little up. */
function openMouth(image: Image, face: Face, share: number): Patch {
  const { width, height, mouth } = face;
  const [across, up, down] = [0.19 * width, 0.1 * height, 0.3 * height];
  const at = (u: number, v: number): Source => {
    const profile = 1 - (u / across) ** 2;
    const [lower, upper] = [0.13 * height * share * profile, 0.03 * height * share * profile];
    const inside = clamped(Math.min(v + upper, lower - v) / 1.5 + 0.5);
    const isTooth = v < -upper + 0.28 * (lower + upper);
    if (inside === 1) return { v: 0, cover: 1, color: isTooth ? teeth : mouthDark };
    const from = v > (lower - upper) / 2 ? ((v - lower) / (down - lower)) * down : ((v + upper) / (up - upper)) * up;
    return { v: from, cover: inside, color: mouthDark };
  };
  return patchOf(image, { center: mouth, across, up, down, radians: inclination(face), at });
}

/** The color of the skin below an eye: the median of what is between it and the mouth. */
function skinBelow(image: Image, eye: Point, mouth: Point): Color {
  const seen = Array.from({ length: 9 }, (_, index) => {
    const share = 0.3 + index * 0.04;
    return colorAt(image, eye.x + share * (mouth.x - eye.x) * 0.6, eye.y + share * (mouth.y - eye.y));
  });
  const middle = (channel: number) => seen.map((color) => color[channel] ?? 0).toSorted((a, b) => a - b)[4] ?? 0;
  return [middle(0), middle(1), middle(2)];
}

/** An eye, closed by a share from 0 to 1: a lid in the color of the skin, with lashes at its edge. */
function closedEye(image: Image, face: Face, eye: Point, share: number): Patch {
  const { width, mouth } = face;
  const [across, up, down] = [0.16 * width, 0.12 * width, 0.12 * width];
  const [lid, skin] = [0.02 * width, skinBelow(image, eye, mouth)];
  const at = (u: number, v: number): Source => {
    const profile = 1 - (u / across) ** 2;
    const edge = -up + share * (up + 0.6 * down * profile);
    const isLash = Math.abs(v - edge) < lid && profile > 0.3;
    const opacity = v > edge + lid ? 0 : isLash ? 1 : clamped(5 * (profile - (v / up) ** 2));
    return { v, opacity, cover: 1, color: isLash ? lash : skin };
  };
  return patchOf(image, { center: eye, across, up, down, radians: inclination(face), at });
}

/** How loud speech is in each frame, from 0 to 1. */
function opennessOf(speech: Sound): readonly number[] {
  const loudness = loudnessOver(speech, 1 / framesPerSecond);
  const loud = loudness.toSorted((one, other) => one - other)[Math.floor(0.9 * loudness.length)] ?? 0;
  const around = (index: number) =>
    ((loudness[index - 1] ?? 0) + 2 * (loudness[index] ?? 0) + (loudness[index + 1] ?? 0)) / 4;
  return loudness.map((_, index) => (loud > 0 ? clamped(around(index) / loud) : 0));
}

const blinkSeconds = 0.2;

/** When the eyes of a face close, about every three seconds; never in the first second. */
function blinksOf(seed: string, seconds: number): readonly number[] {
  const random = seededRandom(seed);
  const times: number[] = [];
  for (let at = random.between(1, 2.4); at < seconds - 0.5; at += random.between(2.2, 4.4)) times.push(at);
  return times;
}

export interface Talk {
  readonly seconds: number;
  readonly seed: string;
  /** The speech of the face, and the time at which it begins. */
  readonly speech?: Sound | undefined;
  readonly startSeconds: number;
}

/** The patches to be painted over an image, after this many seconds of the video. */
export type Acting = (place: Place, seconds: number) => readonly Placed[];

const onPlace = ({ sprite, x, y }: Patch, place: Place): Placed => {
  const { scale = 1, widthScale = 1, radians = 0 } = place;
  const [right, down] = [x * scale * widthScale, y * scale];
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const at = { x: place.x + cos * right - sin * down, y: place.y + sin * right + cos * down };
  return { sprite, place: { ...place, ...at } };
};

/** In how many steps a mouth opens, and in how many an eye closes. */
const mouthSteps = 4;
const eyeSteps = 2;

const steps = (count: number): number[] => Array.from({ length: count }, (_, index) => (index + 1) / count);

/** The least score of a face in a drawing: without outlines, other round things look a little like faces. */
const minDrawnScore = 0.66;

/** The faces of a photo or, without the outlines that hide them from the network, of a drawing. */
async function facesIn(image: Image): Promise<readonly Face[]> {
  const soft = await imageOf(pipelineOf(image).blur(0.3 + 0.012 * Math.max(image.width, image.height)), image.hasAlpha);
  const finder = await openFaceFinder();
  try {
    const photographed = await finder.find(image);
    const drawn = (await finder.find(soft)).filter(({ score }) => score >= minDrawnScore);
    return (drawn[0]?.score ?? 0) > (photographed[0]?.score ?? 0) ? drawn : photographed;
  } finally {
    finder.close();
  }
}

/** The faces of an image, which talk and blink; the same seed gives the same times of blinking. */
export async function talkingFaces(image: Image, { seconds, seed, speech, startSeconds }: Talk): Promise<Acting> {
  const faces = (await facesIn(image)).map((face, index) => ({
    mouths: steps(mouthSteps).map((share) => openMouth(image, face, share)),
    eyes: steps(eyeSteps).map((share) => face.eyes.map((eye) => closedEye(image, face, eye, share))),
    blinks: blinksOf(`${seed} ${index}`, seconds),
  }));
  const openness = speech ? opennessOf(speech) : [];
  return (place, at) => {
    const open = openness[Math.floor((at - startSeconds) * framesPerSecond)] ?? 0;
    return faces.flatMap(({ mouths, eyes, blinks }, index) => {
      const blink = blinks.find((from) => at >= from && at < from + blinkSeconds);
      const share = blink === undefined ? 0 : 1 - Math.abs(2 * ((at - blink) / blinkSeconds) - 1);
      // Only the largest face speaks.
      const mouth = index === 0 ? mouths[Math.round(open * mouthSteps) - 1] : undefined;
      const lids = eyes[Math.ceil(1.5 * share * eyeSteps > eyeSteps ? eyeSteps : share * eyeSteps) - 1] ?? [];
      return [...(mouth ? [mouth] : []), ...lids].map((patch) => onPlace(patch, place));
    });
  };
}
