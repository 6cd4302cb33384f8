/** The colors of a scene at the times of day. */
import type { FrameSize } from '../image/frame-size.ts';
import type { SeededRandom } from '../image/seeded-random.ts';
import type { LightName } from './scenery.ts';
import { ellipse, gradient, many, rect } from './svg.ts';

export interface Light {
  readonly sky: readonly [string, string, string];
  readonly sun: string;
  /** The colors of the distance and of the foreground. */
  readonly far: string;
  readonly near: string;
  /** A color over the whole scene, with its opacity. */
  readonly tint: readonly [string, number];
}

export const lights: Readonly<Record<LightName, Light>> = {
  day: {
    sky: ['#3f93d8', '#8cc8ee', '#e6f5fb'],
    sun: '#fffbe0',
    far: '#6f9aa8',
    near: '#3f7d4c',
    tint: ['#ffffff', 0],
  },
  night: {
    sky: ['#070b24', '#1a2656', '#46558f'],
    sun: '#f5f2dc',
    far: '#222d57',
    near: '#101a3d',
    tint: ['#0a1440', 0.34],
  },
  sunset: {
    sky: ['#4a2a6b', '#e0567a', '#ffb457'],
    sun: '#fff0b8',
    far: '#7d3a68',
    near: '#4b2a4f',
    tint: ['#ff7a3c', 0.16],
  },
  dawn: {
    sky: ['#7aa6d8', '#f3b7b1', '#ffe1a6'],
    sun: '#fff7d6',
    far: '#8f7f9f',
    near: '#5b6a63',
    tint: ['#ffc58a', 0.1],
  },
};

/** The colors at a time of day if snow covers the ground and the hills. */
export const onSnow = (light: Light): Light =>
  light.sky === lights.night.sky
    ? { ...light, far: '#8fa3cf', near: '#b3c2e2' }
    : { ...light, far: '#cfdcea', near: '#f6f9fc' };

/** The sky with its sun or moon. */
export function skyOf(name: LightName, { width: w, height: h }: FrameSize, random: SeededRandom): string {
  const { sky, sun: disc } = lights[name];
  const stars = many(name === 'night' ? 70 : 0, () =>
    ellipse(random.next() * w, random.between(0, 0.5) * h, 0.3, 0.3, '#ffffff'),
  );
  return `${gradient('sky', ...sky)}${rect(0, 0, w, h, 'url(#sky)')}${stars}${ellipse(random.between(0.14, 0.36) * w, random.between(0.14, 0.4) * h, 8, 8, disc)}`;
}
