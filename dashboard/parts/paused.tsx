/** Tells the user that the pages are waiting, because the session has sent too many requests. */
import { Alert } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { onPause, pausedUntil } from '../api/pause.ts';
import { useLanguage } from '../language/language.tsx';
import { Icon } from './icon.tsx';

/** Counts down the whole seconds until a time. */
function useSecondsUntil(time: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
      if (time <= Date.now()) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [time]);
  return Math.max(0, Math.ceil((time - now) / 1000));
}

export function Paused() {
  const { text } = useLanguage();
  const seconds = useSecondsUntil(useSyncExternalStore(onPause, pausedUntil));
  if (seconds === 0) return null;
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} title={text.failures.paused(seconds)} role="status" mb="md">
      {text.failures.pausedHint}
    </Alert>
  );
}
