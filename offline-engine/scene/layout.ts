/** Arranges the objects of a scene: the first in the middle, the others beside, on or under it, or worn by it. */
import type { FrameSize } from '../image/frame-size.ts';
import type { SeededRandom } from '../image/seeded-random.ts';
import type { Color } from './prompt-terms.ts';
import type { SceneBrief, Subject } from './scene-brief.ts';
import type { PlaceName } from './scenery.ts';

/** A drawing on the canvas; `x` is its center and `foot` its lower edge. */
export interface Thing {
  readonly drawing: string;
  readonly color: Color | undefined;
  readonly x: number;
  readonly foot: number;
  readonly size: number;
  readonly isMirrored: boolean;
  readonly hasShadow: boolean;
  readonly isBurning?: boolean | undefined;
  /** Whether it belongs to the first subject of the prompt, which performs the action. */
  readonly isMain: boolean;
}

const flying =
  /^(bird|eagle|dove|parrot|owl|bat|butterfly|honeybee|airplane|small-airplane|helicopter|rocket|balloon|hot-air-balloon|kite|flying-saucer|full-moon|.*-moon|sun|star|glowing-star|rainbow|cloud|comet|ringed-planet|dragon|parachute|fireworks|angel)$/;
const swimming =
  /^(.*fish|fish|.*whale|dolphin|octopus|squid|shark|turtle|seal|crab|lobster|shrimp|seahorse|submarine|woman-merpeople)$/;
const floating = /^(sailboat|ship|speedboat|motor-boat|canoe|ferry|passenger-ship|duck|swan)$/;
/** What is worn over the eyes or around the neck instead of on the head. */
const wornLower = /^(glasses|sunglasses|goggles|scarf|necktie|bow)$/;

/** The place in which a ship or a sea animal is drawn if the prompt names no place. */
export const waterOf = (drawing: string | undefined): 'sea' | 'underwater' | undefined => {
  if (drawing === undefined) return undefined;
  return floating.test(drawing) ? 'sea' : swimming.test(drawing) ? 'underwater' : undefined;
};

interface Stage {
  readonly canvas: FrameSize;
  readonly place: PlaceName | undefined;
  readonly isFlying: boolean;
  readonly random: SeededRandom;
}

/** Where an object stands, floats or flies: its lower edge, and whether it casts a shadow. */
function standOf({ drawing, size }: Pick<Thing, 'drawing' | 'size'>, isMain: boolean, stage: Stage) {
  const { canvas, place, isFlying, random } = stage;
  const jitter = random.between(-0.02, 0.02);
  const middle = (share: number) => ({ foot: (share + jitter) * canvas.height + size / 2, hasShadow: false });
  if (place === 'underwater' || place === 'space') return middle(isMain ? 0.5 : 0.4);
  if (flying.test(drawing) || (isFlying && isMain)) return middle(isMain ? 0.4 : 0.24);
  const isWater = place === 'sea' || place === 'river' || place === 'lighthouse';
  if (isWater && (swimming.test(drawing) || floating.test(drawing)))
    return { foot: (0.84 + jitter) * canvas.height, hasShadow: false };
  return { foot: (0.88 + jitter) * canvas.height, hasShadow: true };
}

interface Column {
  readonly center: number;
  readonly width: number;
}

/** The copies of a subject that occurs several times, spread over a column; those farther back are smaller. */
function copiesOf(
  { drawing, count, size: factor, color, isBurning }: Subject,
  column: Column,
  isMain: boolean,
  stage: Stage,
): Thing[] {
  const { random, canvas } = stage;
  const whole = Math.min(column.width * 0.92, 0.62 * Math.min(canvas.width, canvas.height * 0.8)) * factor;
  const size = count === 1 ? whole : (whole * 1.15) / Math.sqrt(count);
  const across = Math.min(count, Math.max(2, Math.ceil(Math.sqrt((count * column.width) / whole / 1.4))));
  const rows = Math.ceil(count / across);
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / across);
    const inRow = Math.min(across, count - row * across);
    const depth = rows === 1 ? 1 : 0.8 + (0.2 * row) / (rows - 1);
    const scaled = size * depth;
    const shift = count === 1 ? 0 : ((index % across) + 0.5 - inRow / 2) / across;
    const { foot, hasShadow } = standOf({ drawing, size: scaled }, isMain, stage);
    return {
      drawing,
      color,
      x: column.center + shift * Math.max(column.width, whole) + random.between(-0.03, 0.03) * scaled,
      foot: foot - (rows - 1 - row) * 0.62 * size,
      size: scaled,
      isMirrored: random.next() < 0.5,
      hasShadow,
      isMain,
      isBurning,
    };
  });
}

/** The flames in front of a burning object. */
const flames = (thing: Thing): Thing[] =>
  thing.isBurning
    ? [
        [0, 0.6, 0.5],
        [-0.3, 0.06, 0.45],
        [0.3, 0.06, 0.45],
      ].map(([x = 0, up = 0, size = 0]) => ({
        ...thing,
        drawing: 'fire',
        color: undefined,
        x: thing.x + x * thing.size,
        foot: thing.foot - up * thing.size,
        size: size * thing.size,
        hasShadow: false,
      }))
    : [];

/** Places what an object wears: on its head, over its eyes or around its neck. */
function worn({ drawing, color }: Subject, wearer: Thing): Thing {
  const isLower = wornLower.test(drawing);
  const size = (isLower ? 0.5 : 0.56) * wearer.size;
  return {
    ...wearer,
    drawing,
    color,
    size,
    foot: wearer.foot - (isLower ? 0.34 : 0.7) * wearer.size,
    hasShadow: false,
  };
}

/** Places an object on, above or under another one, and moves the other one accordingly. */
function beneath(
  subject: Subject,
  upper: Thing,
  { canvas, random }: Stage,
): { readonly thing: Thing; readonly moved: Thing } {
  const { drawing, color, size: factor, position } = subject;
  const own = {
    ...upper,
    drawing,
    color,
    isBurning: subject.isBurning,
    isMirrored: random.next() < 0.5,
    isMain: false,
  };
  if (position === 'under') {
    return {
      thing: { ...own, size: 1.2 * upper.size, foot: upper.foot - 0.62 * upper.size, hasShadow: false },
      moved: upper,
    };
  }
  const foot = 0.88 * canvas.height;
  const size = upper.size * 1.1 * factor;
  const thing = { ...own, size, foot, hasShadow: true };
  const isAbove = !upper.hasShadow;
  return {
    thing,
    moved: isAbove
      ? { ...upper, foot: Math.min(upper.foot, foot - size) }
      : { ...upper, foot: foot - 0.6 * size, hasShadow: false },
  };
}

/** The centers of the columns: the first subject's in the middle, the next ones to its left and right. */
function columnsOf(count: number, width: number): Column[] {
  const share = width / count;
  const order = Array.from({ length: count }, (_, index) => index).toSorted(
    (one, other) => Math.abs(one - (count - 1) / 2) - Math.abs(other - (count - 1) / 2),
  );
  return order.map((slot) => ({ center: (slot + 0.5) * share, width: share }));
}

/** An animal that wears something is drawn as a face, because clothes do not fit the drawing of its whole body. */
const wearing = (subject: Subject, next: Subject | undefined, exists: (drawing: string) => boolean): Subject =>
  next?.position === 'worn' && exists(`${subject.drawing}-face`)
    ? { ...subject, drawing: `${subject.drawing}-face` }
    : subject;

/** Shrinks all objects toward the ground until none reaches beyond the upper edge. */
function fitted(things: readonly Thing[], { height }: FrameSize): Thing[] {
  const bottom = 0.9 * height;
  const top = Math.min(bottom, ...things.map(({ foot, size }) => foot - size));
  const room = 0.97 * bottom;
  const factor = Math.min(1, room / (bottom - top));
  return things.map((thing) => ({
    ...thing,
    size: thing.size * factor,
    foot: bottom - (bottom - thing.foot) * factor,
  }));
}

/** The objects of a scene, those farther back first. */
export function arrangedThings(
  { subjects, action }: Pick<SceneBrief, 'subjects' | 'action'>,
  given: Omit<Stage, 'isFlying'>,
  exists: (drawing: string) => boolean,
): Thing[] {
  const stage = { ...given, isFlying: action === 'fly' };
  const beside = subjects.filter(({ position }) => position === undefined || position === 'beside');
  const columns = columnsOf(beside.length, given.canvas.width);
  const things: Thing[] = [];
  const front: Thing[] = [];
  let anchors: Thing[] = [];
  for (const [index, subject] of subjects.entries()) {
    const at = beside.indexOf(subject);
    const column = columns[at];
    if (column) {
      anchors = copiesOf(wearing(subject, subjects[index + 1], exists), column, at === 0, stage);
      things.push(...anchors);
      continue;
    }
    if (subject.position === 'worn') {
      front.push(...anchors.map((anchor) => worn(subject, anchor)));
      continue;
    }
    const added = anchors.map((anchor) => beneath(subject, anchor, stage));
    for (const [at, { thing, moved }] of added.entries())
      things.splice(things.indexOf(anchors[at] as Thing), 1, thing, moved);
    anchors = added.map(({ thing }) => thing);
  }
  return fitted([...things.flatMap((thing) => [thing, ...flames(thing)]), ...front], given.canvas);
}
