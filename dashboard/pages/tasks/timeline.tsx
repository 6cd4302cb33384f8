/** What happened to a task, with who caused it and which credits moved. */
import { Text } from '@mantine/core';
import { useEffect } from 'react';
import type { Task } from '../../../shared/contracts/task.ts';
import { type TaskEvent, taskEventsContracts } from '../../../shared/contracts/task-events.ts';
import { watchedPollMs } from '../../api/poll-hints.ts';
import { useApi } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { useCreditsOf } from '../../parts/use-credits-of.ts';
import { deliveryReason } from '../webhooks/delivery-reason.ts';
import { isOpen } from './task-media.ts';
import { useTaskMode } from './task-mode.ts';

const secondsBetween = (from: string, to: string): number => Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);

/** Whether an event is a failure, or reports one. */
const isBad = ({ message, type }: TaskEvent): boolean =>
  type === 'failed' || (type === 'webhook_attempted' && message !== undefined);

function useDetail({ message, statusCode, type }: TaskEvent): string | undefined {
  const { text } = useLanguage();
  // The reason of a failure is left out, because the page shows it at the top.
  if (type !== 'webhook_attempted') return type === 'progress' ? message : undefined;
  const reason = deliveryReason({ error: message, statusCode }, text);
  const status = statusCode === undefined ? [] : [text.tasks.httpStatus(statusCode)];
  return [...status, ...(reason === undefined ? [] : [reason])].join(' · ');
}

function Event({ event, previous }: { readonly event: TaskEvent; readonly previous: TaskEvent | undefined }) {
  const { text, format } = useLanguage();
  const credits = useCreditsOf(useTaskMode());
  const detail = useDetail(event);
  const { actor, at, credits: moved, type } = event;
  return (
    <li data-tone={isBad(event) ? 'bad' : undefined}>
      <Text size="sm" fw={500}>
        {labelOf(text.tasks.events, type)}
        {moved !== undefined && ` · ${credits(moved)}`}
      </Text>
      {detail !== undefined && <Text size="sm">{detail}</Text>}
      <time dateTime={at}>
        {format.exact(at)}
        {previous && ` · ${text.tasks.took(format.duration(secondsBetween(previous.at, at)))}`}
        {` · ${labelOf(text.tasks.actors, actor)}`}
      </time>
    </li>
  );
}

export function Timeline({ task }: { readonly task: Task }) {
  const { text } = useLanguage();
  const mode = useTaskMode();
  const { id, status, webhook } = task;
  const query = useApi(
    taskEventsContracts.listTaskEvents,
    { params: { taskId: id }, mode },
    { refetchInterval: (query) => (isOpen(task) ? watchedPollMs(query, task) : false) },
  );
  const { refetch } = query;
  const seen = `${status} ${webhook?.attempts.length}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page has seen decides when there is more to tell
  useEffect(() => void refetch(), [refetch, seen]);
  return (
    <Section title={text.tasks.timeline}>
      <Loaded query={query}>
        {({ events }) => (
          <ol className="timeline">
            {events.map((event, index) => (
              <Event key={`${event.type} ${event.at}`} event={event} previous={events[index - 1]} />
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}
