/** The movement of a camera toward its subject. */
import type { SeededRandom } from '../image/seeded-random.ts';
import type { View } from '../video/filmed-image.ts';

/** The movement from the whole image at 0 to the nearest view at 1; `strength` is 1 for a usual movement. */
export function cameraMove(random: SeededRandom, strength = 1): (nearness: number) => View {
  const angle = random.between(0, 2 * Math.PI);
  const turn = random.between(1.2, 2.6) * random.pick([-1, 1] as const);
  // The camera moves upwards, because faces are usually in the upper half.
  const [x, y] = [0.07 * Math.cos(angle), -0.07 * Math.abs(Math.sin(angle))];
  return (nearness) => {
    const near = nearness * strength;
    return { zoom: 1 + 0.32 * near, x: x * near, y: y * near, degrees: turn * near };
  };
}
