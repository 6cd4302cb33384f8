/** The layers of a drawn scene that moves: a camera, objects that perform the action in the prompt, and weather. */
import type { FrameSize } from '../image/frame-size.ts';
import { seededRandom } from '../image/seeded-random.ts';
import { type DrawnThing, drawLayers, type ScenePrompt } from '../scene/draw-scene.ts';
import type { Action } from '../scene/prompt-terms.ts';
import { filmedImage, placeFor, type View } from '../video/filmed-image.ts';
import { between, smooth, sway, swinging } from '../video/motion.ts';
import { type Layer, type Painter, painterOf } from '../video/scene.ts';
import { type Place, spriteOfImage } from '../video/sprite.ts';
import { cameraMove } from './camera-move.ts';

interface Motion {
  /** How far the object has moved, in multiples of its size: forward in the direction that it faces, and downwards. */
  readonly x: number;
  readonly y: number;
  readonly radians?: number;
  readonly stretch?: number;
}

/** The motion for each action, `at` seconds after the beginning, when this share of the video has passed. */
const motions: Readonly<Record<Action | 'rest', (at: number, share: number) => Motion>> = {
  run: (at, share) => ({
    x: between(-0.9, 0.9, share),
    y: -0.09 * Math.abs(swinging(at, 1.4)),
    radians: 0.07 * swinging(at, 2.8),
  }),
  jump: (at) => ({ x: 0, y: -0.5 * Math.abs(swinging(at, 0.6)), stretch: 1 + 0.06 * swinging(at, 1.2) }),
  fly: (at, share) => ({
    x: between(-0.8, 0.8, share),
    y: 0.14 * swinging(at, 0.5),
    radians: 0.09 * swinging(at, 0.5),
  }),
  swim: (at, share) => ({
    x: between(-0.7, 0.7, share),
    y: 0.05 * swinging(at, 0.7),
    radians: 0.08 * swinging(at, 0.7),
  }),
  dance: (at) => ({
    x: 0.12 * swinging(at, 0.5),
    y: -0.07 * Math.abs(swinging(at, 1)),
    radians: 0.2 * swinging(at, 0.5),
  }),
  turn: (at) => ({ x: 0, y: 0, radians: 1.6 * at }),
  fall: (_, share) => ({ x: 0, y: between(-1, 0, Math.min(1, 1.4 * share) ** 2), radians: 0.4 * (1 - share) }),
  sleep: (at) => ({ x: 0, y: 0, stretch: 1 + 0.03 * swinging(at, 0.25) }),
  rest: (at) => ({
    x: 0.012 * swinging(at, 0.3),
    y: 0,
    radians: 0.03 * swinging(at, 0.4),
    stretch: 1 + 0.015 * swinging(at, 0.6),
  }),
};

/** Where a point of the scene appears in a frame; the point is given relative to the middle of the scene, in pixels. */
const seenAt = (view: View, size: FrameSize, x: number, y: number): Place & { readonly zoom: number } => {
  const { radians = 0, zoom, ...place } = placeFor(view, size);
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return {
    x: place.x + zoom * (cos * x - sin * y),
    y: place.y + zoom * (sin * x + cos * y),
    radians,
    zoom,
  };
};

interface Filmed {
  readonly size: FrameSize;
  readonly seconds: number;
  readonly viewAt: (at: number) => View;
}

function thingLayer(
  thing: DrawnThing,
  action: Action | undefined,
  phase: number,
  { size, seconds, viewAt }: Filmed,
): Layer {
  const sprite = spriteOfImage(thing.image);
  const move = motions[thing.isMain && action ? action : 'rest'];
  // Limits movements so that objects stay in the frame; large objects still move a little.
  const reach = Math.min(1, Math.max(0.25, 0.6 * (size.width / thing.size - 1)));
  const side = thing.isMirrored ? 1 : -1;
  return (at) => {
    const { x, y, radians = 0, stretch = 1 } = move(at + phase, at / seconds);
    const center = { x: thing.x - size.width / 2, y: thing.y - size.height / 2 };
    const place = seenAt(viewAt(at), size, center.x + side * x * reach * thing.size, center.y + y * thing.size);
    const turned = {
      radians: (place.radians ?? 0) - side * radians,
      scale: (place.zoom * stretch * thing.size) / thing.image.height,
    };
    return [{ sprite, place: { x: place.x, y: place.y, ...turned } }];
  };
}

/** Rain and snow, repeated above the frame and moving down. */
function fallingLayer(image: DrawnThing['image'], { height }: FrameSize): Layer {
  const sprite = spriteOfImage(image);
  return (at) => {
    const fallen = (at * 0.6 * height) % height;
    return [fallen, fallen - height].map((down) => ({
      sprite,
      place: { x: image.width / 2, y: height / 2 + down },
    }));
  };
}

export async function animatedScene(given: ScenePrompt, seconds: number): Promise<Painter> {
  const { size, seed } = given;
  const { background, things, falling, sign, action } = await drawLayers(given);
  const random = seededRandom(`${seed} film`);
  const move = cameraMove(random, 0.5);
  const drift = sway(seed, 0.2);
  const viewAt = (at: number): View => {
    const view = move(smooth(at / seconds));
    return { ...view, x: view.x + 0.006 * drift(at) };
  };
  const filmed = { size, seconds, viewAt };
  const sky = await filmedImage(background, size);
  const board = sign.map((image) => spriteOfImage(image));
  const backgroundLayer: Layer = (at) => [{ sprite: sky, place: placeFor(viewAt(at), size) }];
  const signLayer: Layer = () => board.map((sprite) => ({ sprite, place: { x: size.width / 2, y: size.height / 2 } }));
  return painterOf([
    backgroundLayer,
    ...things.map((thing) => thingLayer(thing, action, random.between(0, 2), filmed)),
    ...falling.map((image) => fallingLayer(image, size)),
    signLayer,
  ]);
}
