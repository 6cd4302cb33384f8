/** A small picture of a task's first result, a button that plays it, or the progress of the task. */
import { Progress } from '@mantine/core';
import type { TaskSummary } from '../../../shared/contracts/task.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PlayButton } from '../../parts/play-button.tsx';
import { isOpen, mediumOf } from './task-media.ts';
import { Wave } from './wave.tsx';

/** The address of a picture of the result. */
function pictureOf({ results }: TaskSummary): string | undefined {
  const [result] = results ?? [];
  return result?.contentType.startsWith('image/') ? result.url : result?.posterUrl;
}

function Content({ task }: { readonly task: TaskSummary }) {
  const { text } = useLanguage();
  const picture = pictureOf(task);
  const [result] = task.results ?? [];
  // The picture needs no alternative text, because the link around it has a name.
  if (picture !== undefined) return <img src={picture} alt="" loading="lazy" decoding="async" />;
  if (result?.contentType.startsWith('audio/')) {
    return (
      <PlayButton url={result.url} of={task.label ?? labelOf(text.taskTypes, task.taskType)}>
        <Wave url={result.url} />
      </PlayButton>
    );
  }
  return <Icon name={task.status === 'failed' ? 'alert' : mediumOf(task.taskType)} size={22} />;
}

export function Thumbnail({ task }: { readonly task: TaskSummary }) {
  const { text } = useLanguage();
  const { progress, results = [], status } = task;
  return (
    <div className="thumbnail">
      <Content task={task} />
      {results.length > 1 && <span className="count">{results.length}</span>}
      {isOpen(task) && (
        <Progress
          value={progress}
          size="xs"
          animated
          aria-label={`${labelOf(text.taskStatuses, status)} ${text.tasks.progress(progress)}`}
        />
      )}
    </div>
  );
}
