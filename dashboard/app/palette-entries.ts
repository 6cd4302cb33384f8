/** What the search of the dashboard finds: pages, actions and recent tasks. */
import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { documentRoutes } from '../../shared/contracts/documents.ts';
import type { TaskSummary } from '../../shared/contracts/task.ts';
import { tasksContracts } from '../../shared/contracts/tasks.ts';
import { useApi } from '../api/use-api.ts';
import { languageNames, locales } from '../language/format.ts';
import { labelOf, useLanguage } from '../language/language.tsx';
import type { IconName } from '../parts/icon.tsx';
import { usePages } from './navigation.tsx';
import { matchesOf } from './palette-matches.ts';
import { useSession } from './session.tsx';

export interface Entry {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly detail?: string;
  /** Further words by which the entry is found. */
  readonly words?: string;
  readonly run: () => unknown;
}

export interface Group {
  readonly label: string;
  readonly entries: readonly Entry[];
}

/** How many of the newest tasks are searched by their label; older tasks are found by their id or reference. */
const searchedTasks = 100;
const shownTasks = 8;

function usePageEntries(): Entry[] {
  const { text } = useLanguage();
  const navigate = useNavigate();
  return usePages().map(({ name, to }) => ({
    id: `page-${name}`,
    icon: name,
    label: text.shell[name],
    run: () => navigate({ to }),
  }));
}

function usePreferenceEntries(): Entry[] {
  const { text, locale, choose } = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  return [
    ...(['light', 'dark', 'auto'] as const).map((scheme) => ({
      id: `scheme-${scheme}`,
      icon: 'overview' as const,
      label: `${text.account.appearance}: ${text.account.schemes[scheme]}`,
      run: () => setColorScheme(scheme),
    })),
    ...locales
      .filter((other) => other !== locale)
      .map((other) => ({
        id: `language-${other}`,
        icon: 'book' as const,
        label: `${text.account.language}: ${languageNames[other]}`,
        run: () => choose(other),
      })),
  ];
}

function useActionEntries(): Entry[] {
  const { text } = useLanguage();
  const { apiUrl } = useSession();
  const navigate = useNavigate();
  const failed = { status: 'failed' };
  return [
    { id: 'new-token', icon: 'plus', label: text.tokens.create, run: () => navigate({ to: '/tokens/new' }) },
    { id: 'buy', icon: 'billing', label: text.shell.buy, run: () => navigate({ to: '/billing' }) },
    {
      id: 'failed-tasks',
      icon: 'alert',
      label: text.overview.failed,
      run: () => navigate({ to: '/tasks', search: failed }),
    },
    {
      id: 'failed-webhooks',
      icon: 'webhooks',
      label: `${text.shell.webhooks}: ${text.webhooks.failing}`,
      run: () => navigate({ to: '/webhooks', search: failed }),
    },
    {
      id: 'documentation',
      icon: 'book',
      label: text.shell.documentation,
      run: () => window.location.assign(apiUrl + documentRoutes.getDocs.path),
    },
    ...usePreferenceEntries(),
  ];
}

function useTaskEntries(): Entry[] {
  const { text, format } = useLanguage();
  const navigate = useNavigate();
  const { data } = useApi(tasksContracts.listTasks, { query: { limit: searchedTasks } }, { staleTime: 10_000 });
  return (data?.tasks ?? []).map(({ clientReference = '', createdAt, id, label, status, taskType }: TaskSummary) => {
    const type = labelOf(text.taskTypes, taskType);
    return {
      id: `task-${id}`,
      icon: 'tasks',
      label: label ?? type,
      detail: [type, labelOf(text.taskStatuses, status), format.ago(createdAt)].join(' · '),
      words: `${id} ${clientReference}`,
      run: () => navigate({ to: '/tasks/$taskId', params: { taskId: id } }),
    };
  });
}

const taskId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The task whose id was typed, which need not be among the newest. */
function useTaskById(typed: string): Entry[] {
  const { text } = useLanguage();
  const navigate = useNavigate();
  if (!taskId.test(typed)) return [];
  const run = () => navigate({ to: '/tasks/$taskId', params: { taskId: typed.toLowerCase() } });
  return [{ id: 'by-id', icon: 'tasks', label: text.palette.openTask(typed), run }];
}

/** The tasks whose client reference was typed in the search. */
function useTasksByReference(typed: string): Entry[] {
  const { text } = useLanguage();
  const navigate = useNavigate();
  if (typed === '' || taskId.test(typed)) return [];
  const run = () => navigate({ to: '/tasks', search: { reference: typed } });
  return [{ id: 'by-reference', icon: 'search', label: text.palette.withReference(typed), run }];
}

/** The groups with entries that match what was typed. */
export function useGroups(typed: string): readonly Group[] {
  const { text } = useLanguage();
  const pages = matchesOf(usePageEntries(), typed);
  const tasks = [...matchesOf(useTaskEntries(), typed).slice(0, shownTasks), ...useTaskById(typed.trim())];
  const actions = [...matchesOf(useActionEntries(), typed), ...useTasksByReference(typed.trim())];
  return [
    { label: text.palette.pages, entries: pages },
    { label: text.palette.tasks, entries: tasks },
    { label: text.palette.actions, entries: actions },
  ].filter(({ entries }) => entries.length > 0);
}
