/** A preview of a task's result, or its progress, at the size of a card. */
import { Progress, Text } from '@mantine/core';
import type { TaskSummary } from '../../../shared/contracts/tasks.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Icon } from '../../parts/icon.tsx';
import { isOpen, mediumOf } from './task-media.ts';

const Waiting = ({ task }: { readonly task: TaskSummary }) => {
  const { text } = useLanguage();
  return (
    <div className="waiting">
      <Icon name={mediumOf(task.taskType)} size={28} />
      <Progress
        value={task.progress}
        w="100%"
        size="sm"
        animated
        aria-label={`${labelOf(text.taskStatuses, task.status)} ${text.tasks.progress(task.progress)}`}
      />
    </div>
  );
};

const Failed = ({ task }: { readonly task: TaskSummary }) => {
  const { text } = useLanguage();
  return (
    <div className="waiting">
      <Icon name="alert" size={28} />
      <Text size="xs" ta="center">
        {task.error ? labelOf(text.taskErrors, task.error.code) : text.taskStatuses.failed}
      </Text>
    </div>
  );
};

export function Preview({ task }: { readonly task: TaskSummary }) {
  const { text } = useLanguage();
  const label = labelOf(text.taskTypes, task.taskType);
  const [result] = task.results ?? [];
  if (isOpen(task)) return <Waiting task={task} />;
  if (!result) return <Failed task={task} />;
  const { contentType, url, posterUrl } = result;
  if (contentType.startsWith('image/')) return <img src={url} alt={label} loading="lazy" decoding="async" />;
  if (contentType.startsWith('audio/')) {
    return (
      <div className="waiting audio">
        <Icon name="audio" size={28} />
        {/* biome-ignore lint/a11y/useMediaCaption: generated files have no captions */}
        <audio controls preload="none" src={url} aria-label={label} />
      </div>
    );
  }
  return (
    <video
      controls
      playsInline
      preload={posterUrl === undefined ? 'metadata' : 'none'}
      src={url}
      aria-label={label}
      {...(posterUrl !== undefined && { poster: posterUrl })}
    />
  );
}
