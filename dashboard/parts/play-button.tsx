/** Plays and pauses a recording in a list, where the browser's own controls would take too much room. */
import { useRef, useState } from 'react';
import { useLanguage } from '../../language/language.tsx';
import { Icon } from '../../parts/icon.tsx';

/** The recording that plays now: only one does. */
let playing: HTMLAudioElement | undefined;

const bars = [5, 11, 7, 15, 10, 18, 8, 13, 6];

const Wave = ({ isMoving }: { readonly isMoving: boolean }) => (
  <svg className="wave" data-moving={isMoving} viewBox="0 0 44 20" width={44} height={20} aria-hidden="true">
    {bars.map((height, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change
      <rect key={index} x={index * 5} y={10 - height / 2} width={3} height={height} rx={1.5} />
    ))}
  </svg>
);

export function PlayButton({ url, of }: { readonly url: string; readonly of: string }) {
  const { text } = useLanguage();
  const [isPlaying, setPlaying] = useState(false);
  const audio = useRef<HTMLAudioElement>(null);
  const toggle = () => {
    const { current } = audio;
    if (!current?.paused) return current?.pause();
    playing?.pause();
    playing = current;
    // A file that has expired cannot be played; its page says so.
    current.play().catch(() => setPlaying(false));
  };
  return (
    <button
      type="button"
      className="play"
      aria-label={`${isPlaying ? text.tasks.pause : text.tasks.play}: ${of}`}
      onClick={toggle}
    >
      <Icon name={isPlaying ? 'pause' : 'play'} size={18} />
      <Wave isMoving={isPlaying} />
      {/* biome-ignore lint/a11y/useMediaCaption: generated files have no captions */}
      <audio ref={audio} preload="none" src={url} onPlay={() => setPlaying(true)} onPause={() => setPlaying(false)} />
    </button>
  );
}
