/** Probes bombs, small files that claim much and large ones that repeat a few bytes: all must be refused soon. */
import { isMeasured } from '../../../shared/media-files/measured-file.ts';
import { manySamples } from '../../support/media/changed-mp4.ts';
import { filled, filledPlaces } from '../../support/media/filled-media.ts';
import { measurementOf } from '../../support/media/measured.ts';
import { tinyMp4 } from '../../support/tiny-video.ts';

export interface BombReport {
  readonly bombs: number;
  /** The names of those that were not refused. */
  readonly measured: readonly string[];
  readonly mostMilliseconds: number;
}

const megabytes = 24;

async function bombs(): Promise<readonly (readonly [name: string, bytes: Buffer])[]> {
  const video = await tinyMp4(6, { width: 720, height: 1280, index: 'last' });
  const claims = [10_000_000, 50_000_000, 200_000_000].flatMap((count) =>
    [false, true].map((isConsistent) => [`${count} samples`, manySamples(video, count, isConsistent)] as const),
  );
  const content = filled(megabytes * 2 ** 20, 'ff');
  const inPlaces = Object.entries(filledPlaces).map(([place, make]) => [place, make(content)] as const);
  // Loud samples are honest.
  return [...claims, ...inPlaces.filter(([place]) => !place.includes('WAV'))];
}

export async function probeBombs(): Promise<BombReport> {
  const measured: string[] = [];
  let [count, mostMicroseconds] = [0, 0];
  for (const [name, bytes] of await bombs()) {
    for (const chunk of [undefined, 65_536]) {
      const cpu = process.cpuUsage();
      const { found } = measurementOf(bytes, chunk);
      const { user, system } = process.cpuUsage(cpu);
      mostMicroseconds = Math.max(mostMicroseconds, user + system);
      if (isMeasured(found)) measured.push(name);
      count += 1;
    }
  }
  return { bombs: count, measured, mostMilliseconds: mostMicroseconds / 1000 };
}
