/** Plays and pauses a recording where the browser's own controls would take too much room. */
import './play-button.css';
import { type ReactNode, useRef, useState } from 'react';
import { useLanguage } from '../language/language.tsx';
import { Icon } from './icon.tsx';

/** The recording that is being played; starting another one pauses it. */
let playing: HTMLAudioElement | undefined;

interface PlayButtonProps {
  readonly url: string;
  /** The name of the recording, for screen readers. */
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
    // An expired file cannot be played; the page of its task says so.
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
