/** Plays and pauses a recording where the browser's own controls would take too much room. */
import './play-button.css';
import { type ReactNode, useRef, useState } from 'react';
import { useLanguage } from '../language/language.tsx';
import { Icon } from './icon.tsx';

/** The recording that plays now: only one does. */
let playing: HTMLAudioElement | undefined;

interface PlayButtonProps {
  readonly url: string;
  /** What the recording is of. */
  readonly of: string;
  /** What is shown below the icon. */
  readonly children?: ReactNode;
}

export function PlayButton({ url, of, children }: PlayButtonProps) {
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
      data-playing={isPlaying}
      aria-label={`${isPlaying ? text.tasks.pause : text.tasks.play}: ${of}`}
      onClick={toggle}
    >
      <Icon name={isPlaying ? 'pause' : 'play'} size={18} />
      {children}
      {/* biome-ignore lint/a11y/useMediaCaption: generated files have no captions */}
      <audio ref={audio} preload="none" src={url} onPlay={() => setPlaying(true)} onPause={() => setPlaying(false)} />
    </button>
  );
}
