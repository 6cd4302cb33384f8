/** A task in the list: what was requested, how it ended, what it cost and when. */
import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { TaskSummary } from '../../../shared/contracts/task.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Status } from '../../parts/status.tsx';
import { useCreditsOf } from '../../parts/use-credits-of.ts';
import { extentOf } from './task-media.ts';
import { modeSearch } from './task-mode.ts';
import { Thumbnail } from './thumbnail.tsx';

/** The line below the label; if the task has failed, the reason comes first. */
function useFacts({ clientReference, error, label, results = [], taskType }: TaskSummary): string {
  const { text, format } = useLanguage();
  const [result] = results;
  return [
    ...(error ? [labelOf(text.taskErrors, error.code)] : []),
    ...(label === null ? [] : [labelOf(text.taskTypes, taskType)]),
    ...(result ? extentOf(result, format) : []),
    ...(clientReference === undefined ? [] : [clientReference]),
  ].join(' · ');
}

export function TaskCard({ task }: { readonly task: TaskSummary }) {
  const { text, format } = useLanguage();
  const mode = task.test ? 'test' : 'live';
  const credits = useCreditsOf(mode);
  const { id, taskType, label, status, creditsUsed, creditsRefunded, createdAt } = task;
  const facts = useFacts(task);
  const name = label ?? labelOf(text.taskTypes, taskType);
  return (
    <article className="task-card">
      <Thumbnail task={task} />
      <div className="task-name">
        <Link to="/tasks/$taskId" params={{ taskId: id }} search={modeSearch(mode)} className="stretched" title={name}>
          {name}
        </Link>
        <Text size="sm" c="dimmed" truncate title={facts}>
          {facts}
        </Text>
      </div>
      <div className="task-figures">
        <span>{creditsRefunded > 0 ? text.tasks.refunded(credits(creditsRefunded)) : credits(creditsUsed)}</span>
        <time dateTime={createdAt} title={format.exact(createdAt)}>
          {format.ago(createdAt)}
        </time>
        <Status status={status} label={labelOf(text.taskStatuses, status)} />
      </div>
    </article>
  );
}
