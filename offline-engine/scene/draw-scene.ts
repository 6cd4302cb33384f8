/** Draws the scene that a prompt describes: its place, light, weather, objects and style. */
import sharp, { type OverlayOptions } from 'sharp';
import type { FrameSize } from '../image/frame-size.ts';
import { composedWith, type Image, imageOf } from '../image/image.ts';
import { type SeededRandom, seededRandom } from '../image/seeded-random.ts';
import { drawingOf, drawingSize, hasDrawing } from './drawings.ts';
import { arrangedThings, type Thing, waterOf } from './layout.ts';
import { lights, onSnow, skyOf } from './lights.ts';
import { abstractArt, backdrop, places } from './places.ts';
import { type SceneBrief, type Subject, sceneBrief } from './scene-brief.ts';
import { type Scenery, sceneryOf } from './scenery.ts';
import { signOf } from './sign.ts';
import { styled } from './styles.ts';
import { ellipse } from './svg.ts';
import { weathers } from './weather.ts';

export interface ScenePrompt {
  readonly prompt: string;
  readonly negativePrompt?: string | undefined;
  readonly seed: string;
  readonly size: FrameSize;
}

/** A scene in parts, as SVG on a canvas whose shorter side is 100. */
interface SceneParts {
  readonly canvas: FrameSize;
  readonly behind: string;
  readonly things: readonly Thing[];
  /** Rain, snow or fog in front of the objects. */
  readonly falling: string;
  readonly tint: string;
}

const cover = (color: string, opacity: number): string =>
  `<rect width="100%" height="100%" fill="${color}" opacity="${opacity}"/>`;

/** Snow and rain need a place outdoors. Without a place or an object, abstract art is drawn. */
const placeOf = ({ place, weather, light }: Scenery, [first]: readonly Subject[]): Scenery['place'] => {
  const hasThings = first !== undefined;
  const named = place ?? waterOf(first?.drawing);
  if (named) return named;
  if (weather.includes('snow')) return 'snowfield';
  return weather.length > 0 || light !== 'day' ? (hasThings ? 'farm' : 'mountains') : undefined;
};

function surroundings(scenery: Scenery, subjects: readonly Subject[], canvas: FrameSize, random: SeededRandom): string {
  const light = scenery.weather.includes('snow') ? onSnow(lights[scenery.light]) : lights[scenery.light];
  const name = placeOf(scenery, subjects);
  if (!name) return (subjects.length > 0 ? backdrop : abstractArt)(canvas, light, random);
  const { draw, isOutside } = places[name];
  const weather = (part: 'sky' | 'ground') =>
    isOutside ? scenery.weather.map((one) => weathers[one][part](canvas, random)).join('') : '';
  const sky = isOutside ? skyOf(scenery.light, canvas, random) : '';
  return sky + weather('sky') + draw(canvas, light, random) + weather('ground');
}

const shadowOf = ({ x, foot, size, hasShadow }: Thing): string =>
  hasShadow ? ellipse(x, foot - 0.02 * size, 0.36 * size, 0.05 * size, '#10182a', 'opacity="0.28"') : '';

/** An object on the canvas, with its shadow. */
const svgOf = (thing: Thing, index: number): string => {
  const { drawing, color, x, foot, size, isMirrored } = thing;
  const scale = size / drawingSize;
  const [left, top] = [x - (isMirrored ? -size / 2 : size / 2), foot - size];
  return `${shadowOf(thing)}<g transform="translate(${left} ${top}) scale(${isMirrored ? -scale : scale} ${scale})">${drawingOf(drawing, `t${index}`, color)}</g>`;
};

function partsOf({ subjects, words, action }: SceneBrief, { seed, size }: ScenePrompt): SceneParts {
  const unit = Math.min(size.width, size.height) / 100;
  const canvas = { width: size.width / unit, height: size.height / unit };
  const random = seededRandom(seed);
  const scenery = sceneryOf(words);
  const place = placeOf(scenery, subjects);
  const behind = surroundings(scenery, subjects, canvas, random);
  const things = arrangedThings({ subjects, action }, { canvas, place, random }, hasDrawing);
  const isOutside = place !== undefined && places[place].isOutside;
  const falling = isOutside ? scenery.weather.map((weather) => weathers[weather].falling(canvas, random)).join('') : '';
  return { canvas, behind, things, falling, tint: cover(...lights[scenery.light].tint) };
}

const svgDocument = ({ width, height }: FrameSize, { canvas }: Pick<SceneParts, 'canvas'>, elements: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${canvas.width} ${canvas.height}">${elements}</svg>`,
  );

const rendered = (size: FrameSize, parts: SceneParts, elements: string): Promise<Image> =>
  imageOf(sharp(svgDocument(size, parts, elements)).flatten({ background: '#808080' }), false);

/** Whether the prompt names neither a place nor an object that can be drawn. */
const isAbstract = ({ subjects, words }: SceneBrief): boolean =>
  subjects.length === 0 && placeOf(sceneryOf(words), []) === undefined;

/** Draws the scene; the same prompt and seed give the same image. */
export async function drawScene(given: ScenePrompt): Promise<Image> {
  const brief = sceneBrief(given.prompt, given.negativePrompt);
  const parts = partsOf(brief, given);
  const art = await rendered(
    given.size,
    parts,
    parts.behind + parts.things.map(svgOf).join('') + parts.falling + parts.tint,
  );
  return composedWith(await styled(art, brief.styles), await signOf(brief.unknown, isAbstract(brief), given.size));
}

/** Draws the place that a text names, without objects in it. */
export function drawPlace(text: string, size: FrameSize): Promise<Image> {
  const given = { prompt: text, seed: text, size };
  const parts = partsOf({ ...sceneBrief(text), subjects: [] }, given);
  return rendered(size, parts, parts.behind + parts.falling + parts.tint);
}

/** An object of a scene as an image of its own, with its center and size in pixels of the frame. */
export interface DrawnThing extends Pick<Thing, 'isMain' | 'isMirrored'> {
  readonly image: Image;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/**
 * The layers of a scene, for a video in which they move separately; layers that cover the whole frame have its size.
 */
interface SceneLayers {
  readonly background: Image;
  readonly things: readonly DrawnThing[];
  readonly falling: readonly Image[];
  readonly sign: readonly Image[];
  readonly action: SceneBrief['action'];
}

export async function drawLayers(given: ScenePrompt): Promise<SceneLayers> {
  const { size } = given;
  const brief = sceneBrief(given.prompt, given.negativePrompt);
  const parts = partsOf(brief, given);
  const unit = size.width / parts.canvas.width;
  const background = await styled(await rendered(size, parts, parts.behind + parts.tint), brief.styles);
  const things = parts.things.map(async (thing, index): Promise<DrawnThing> => {
    const own = { ...thing, x: thing.size / 2, foot: thing.size, hasShadow: false };
    const side = Math.round(thing.size * unit);
    const canvas = { width: thing.size, height: thing.size };
    const svg = svgDocument({ width: side, height: side }, { canvas }, svgOf(own, index));
    const { isMain, isMirrored, x, foot } = thing;
    const center = { x: x * unit, y: (foot - thing.size / 2) * unit };
    return { ...center, isMain, isMirrored, size: side, image: await imageOf(sharp(svg), true) };
  });
  const overlay = async (layers: readonly OverlayOptions[]) =>
    imageOf(sharp({ create: { ...size, channels: 4, background: '#00000000' } }).composite([...layers]), true);
  const sign = await signOf(brief.unknown, isAbstract(brief), size);
  return {
    background,
    things: await Promise.all(things),
    falling: parts.falling === '' ? [] : [await imageOf(sharp(svgDocument(size, parts, parts.falling)), true)],
    sign: sign.length === 0 ? [] : [await overlay(sign)],
    action: brief.action,
  };
}
