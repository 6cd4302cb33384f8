/** The waveform of a recording in a list; the recording is downloaded once it is visible. */
import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { peaksOf } from './peaks.ts';

/** Few samples a second are enough for a picture, and take little memory. */
const sampleRate = 8000;

/** Downloads and decodes a recording. @throws {Error} if it is missing or cannot be decoded */
async function readPeaks(url: string, count: number, signal: AbortSignal): Promise<number[]> {
  const response = await fetch(url, { signal, credentials: 'omit' });
  if (!response.ok) throw new Error(`The recording cannot be read: ${response.status}.`);
  const decoder = new OfflineAudioContext(1, 1, sampleRate);
  const decoded = await decoder.decodeAudioData(await response.arrayBuffer());
  return peaksOf(decoded.getChannelData(0), count);
}

const bars = 15;
const [width, height] = [58, 20];
const least = 1.5;

export function Wave({ url }: { readonly url: string }) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const { data: peaks = [] } = useQuery({
    queryKey: ['wave', url],
    queryFn: ({ signal }) => readPeaks(url, bars, signal),
    enabled: inViewport,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  // Shows a flat line until the recording has been decoded, and if it cannot be.
  return (
    <span ref={ref} className="wave">
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
        {Array.from({ length: bars }, (_, index) => {
          const tall = Math.max(least, (peaks[index] ?? 0) * height);
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change places
          return <rect key={index} x={index * 4} y={(height - tall) / 2} width={2} height={tall} rx={1} />;
        })}
      </svg>
    </span>
  );
}
