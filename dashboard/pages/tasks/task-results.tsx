/** The files of a task, to view, play and open. */
import { Anchor, Progress, Stack, Text } from '@mantine/core';
import { resultsRetentionDays } from '../../../shared/contracts/limits.ts';
import type { Task } from '../../../shared/contracts/task.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Section } from '../../parts/section.tsx';
import { extentOf, isOpen } from './task-media.ts';

type Result = NonNullable<Task['results']>[number];

/* biome-ignore-start lint/a11y/useMediaCaption: generated files have no captions */
function Media({ result, label }: { readonly result: Result; readonly label: string }) {
  const { contentType, url, posterUrl } = result;
  if (contentType.startsWith('image/')) return <img src={url} alt={label} loading="lazy" />;
  if (contentType.startsWith('audio/')) return <audio controls preload="metadata" src={url} aria-label={label} />;
  return (
    <video
      controls
      playsInline
      preload="metadata"
      src={url}
      aria-label={label}
      {...(posterUrl !== undefined && { poster: posterUrl })}
    />
  );
}
/* biome-ignore-end lint/a11y/useMediaCaption: generated files have no captions */

function ResultFigure({
  result,
  label,
  title,
}: {
  readonly result: Result;
  readonly label: string;
  readonly title?: string | null;
}) {
  const { text, format } = useLanguage();
  const { bytes, contentType, provenance, url } = result;
  const facts = [contentType, ...extentOf(result, format), format.bytes(bytes)];
  return (
    <figure>
      <Media result={result} label={label} />
      <figcaption>
        {title && (
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {title}
          </Text>
        )}
        {facts.join(' · ')} ·{' '}
        <Anchor
          href={url}
          target="_blank"
          rel="noreferrer"
          size="sm"
          underline="always"
          aria-label={`${text.tasks.open}: ${label}`}
        >
          {text.tasks.open}
        </Anchor>
        {provenance && (
          <Text size="sm">{text.tasks.credentials[provenance.digitalSourceType](provenance.signedBy)}</Text>
        )}
      </figcaption>
    </figure>
  );
}

export function ResultFigures({ task }: { readonly task: Task }) {
  const { text } = useLanguage();
  return (
    <div className="results">
      {task.results?.map((result, index) => (
        <ResultFigure
          key={result.url}
          result={result}
          label={text.tasks.result(index + 1)}
          title={task.clips?.[index]?.title ?? null}
        />
      ))}
    </div>
  );
}

export function Running({ task }: { readonly task: Task }) {
  const { text } = useLanguage();
  const label = labelOf(text.taskStatuses, task.status);
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">
        {label} · {text.tasks.progress(task.progress)}
      </Text>
      <Progress value={task.progress} size="lg" animated aria-label={label} />
    </Stack>
  );
}

export function TaskResults({ task }: { readonly task: Task }) {
  const { text } = useLanguage();
  if (isOpen(task)) return <Running task={task} />;
  if (!task.results || task.results.length === 0) return null;
  const isClips = task.clips !== undefined;
  return (
    <Section title={isClips ? text.tasks.clips : text.tasks.results} hint={text.tasks.kept(resultsRetentionDays)}>
      <ResultFigures task={task} />
    </Section>
  );
}
