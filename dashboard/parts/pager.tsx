/** Buttons to move through the pages of a list. */
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useLanguage } from '../language/language.tsx';

export interface Paging {
  readonly query: { readonly limit: number; readonly offset: number };
  readonly go: (offset: number) => void;
}

export function usePaging(limit: number): Paging {
  const [offset, go] = useState(0);
  return { query: { limit, offset }, go };
}

interface PagerProps {
  readonly paging: Paging;
  /** How many entries the current page has. */
  readonly count: number;
  /** What the list contains, for screen readers. */
  readonly of: string;
}

export function Pager({ paging: { query, go }, count, of }: PagerProps) {
  const { text } = useLanguage();
  const { limit, offset } = query;
  if (offset === 0 && count < limit) return null;
  return (
    <Group justify="space-between" component="nav" aria-label={of}>
      <Button size="xs" variant="default" disabled={offset === 0} onClick={() => go(Math.max(0, offset - limit))}>
        {text.common.newer}
      </Button>
      <Button size="xs" variant="default" disabled={count < limit} onClick={() => go(offset + limit)}>
        {text.common.older}
      </Button>
    </Group>
  );
}
