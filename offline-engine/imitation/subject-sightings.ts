/** Tracks the subject of a video: a face, or else a body, or else whatever moves. */
import { type Face, type FaceFinder, openFaceFinder } from '../image/face-finder.ts';
import type { Image } from '../image/image.ts';
import { openPersonFinder, type PersonFinder } from '../image/person-mask.ts';
import type { Plane } from '../image/plane.ts';
import { type Movement, movementsOf, type Pose, type Sightings } from './pose-path.ts';
import { sceneSightings } from './scene-sightings.ts';

/** A fifth of the frames suffices to determine whether there is anything to track. */
const sampleStep = 5;
const minShare = 0.5;
/** Bodies are searched in every second frame, because they change their shape slowly. */
const bodyStep = 2;
const minBodyShare = 0.03;
const minSureness = 0.5;

type Progress = (share: number) => void;
type Find = (frame: Image) => Promise<Pose | undefined>;

const sample = (frames: readonly Image[]) => frames.filter((_, index) => index % sampleStep === 0);

const isMostlyFound = async (frames: readonly Image[], find: Find): Promise<boolean> => {
  const sampled = sample(frames);
  let found = 0;
  for (const frame of sampled) if (await find(frame)) found += 1;
  return found >= sampled.length * minShare;
};

/** Searches each frame only once. */
const remembering = <Found>(find: (frame: Image) => Promise<Found>): ((frame: Image) => Promise<Found>) => {
  const known = new Map<Image, Promise<Found>>();
  return (frame) => {
    const found = known.get(frame) ?? find(frame);
    known.set(frame, found);
    return found;
  };
};

const poseOfFace = ({ center, width, height, eyes: [right, left] }: Face): Pose => ({
  ...center,
  size: Math.sqrt(width * height),
  angle: Math.atan2(left.y - right.y, left.x - right.x),
});

/** Follows the face nearest to the last one; at first, the largest. */
const faceFollower = (facesIn: FaceFinder['find']): Find => {
  let last: Pose | undefined;
  return async (frame) => {
    const poses = (await facesIn(frame)).map(poseOfFace);
    const rank = (pose: Pose) => (last ? Math.hypot(pose.x - last.x, pose.y - last.y) : -pose.size);
    const [nearest] = poses.toSorted((one, other) => rank(one) - rank(other));
    last = nearest ?? last;
    return nearest;
  };
};

/** The least ratio of a shape's axes that gives it a direction. */
const minElongation = 1.3;

/** The center, size and direction of a mask, in pixels of the frame. */
const poseOfMask = ({ width, height, values }: Plane, frame: Image): Pose => {
  const [scaleX, scaleY] = [frame.width / width, frame.height / height];
  const sums = { area: 0, x: 0, y: 0, xx: 0, yy: 0, xy: 0 };
  for (const [index, value] of values.entries()) {
    if (value < 0.5) continue;
    const [x, y] = [(index % width) * scaleX, Math.floor(index / width) * scaleY];
    sums.area += 1;
    sums.x += x;
    sums.y += y;
    sums.xx += x * x;
    sums.yy += y * y;
    sums.xy += x * y;
  }
  const { area } = sums;
  const [x, y] = [sums.x / area, sums.y / area];
  const [xx, yy, xy] = [sums.xx / area - x * x, sums.yy / area - y * y, sums.xy / area - x * y];
  const difference = Math.hypot(xx - yy, 2 * xy);
  const isElongated = Math.sqrt((xx + yy + difference) / Math.max(1e-9, xx + yy - difference)) >= minElongation;
  return {
    x,
    y,
    size: Math.sqrt(area * scaleX * scaleY),
    angle: isElongated ? 0.5 * Math.atan2(2 * xy, xx - yy) : Math.PI / 2,
  };
};

const bodyFollower =
  (finder: PersonFinder): Find =>
  async (frame) => {
    const { share, sureness, coarse } = await finder.find(frame);
    return share >= minBodyShare && sureness >= minSureness ? poseOfMask(coarse, frame) : undefined;
  };

const followed = async (frames: readonly Image[], find: Find, step: number, progress: Progress): Promise<Sightings> => {
  const sightings: (Pose | undefined)[] = [];
  for (const [index, frame] of frames.entries()) {
    sightings.push(index % step === 0 ? await find(frame) : undefined);
    progress(index / frames.length);
  }
  return sightings;
};

const followFace = async (frames: readonly Image[], progress: Progress): Promise<Sightings | undefined> => {
  const finder = await openFaceFinder();
  try {
    const facesIn = remembering((frame) => finder.find(frame));
    if (!(await isMostlyFound(frames, faceFollower(facesIn)))) return undefined;
    return await followed(frames, faceFollower(facesIn), 1, progress);
  } finally {
    finder.close();
  }
};

const followBody = async (frames: readonly Image[], progress: Progress): Promise<Sightings | undefined> => {
  const finder = await openPersonFinder();
  try {
    const find = remembering(bodyFollower(finder));
    if (!(await isMostlyFound(frames, find))) return undefined;
    return await followed(frames, find, bodyStep, progress);
  } finally {
    finder.close();
  }
};

/** The movements of the subject from frame to frame. `progress` goes from 0 to 1. */
export const followSubject = async (frames: readonly Image[], progress: Progress): Promise<readonly Movement[]> => {
  const [frame] = frames;
  if (!frame) return [];
  const face = await followFace(frames, progress);
  if (face) return movementsOf(face, frame);
  const body = await followBody(frames, progress);
  // The angle of rotation after which a mask looks the same: `Math.PI`, because its axes have no direction.
  return body ? movementsOf(body, frame, Math.PI) : movementsOf(sceneSightings(frames), frame);
};
