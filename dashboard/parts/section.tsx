/** A section of a page: a card with a heading. */
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly hint?: string;
  /** Hides a heading that repeats the page's title. */
  readonly isHeadingHidden?: boolean;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export const Section = ({ title, hint, isHeadingHidden = false, action, children }: SectionProps) => (
  <Paper component="section" aria-label={title} p={{ base: 'md', sm: 'lg' }}>
    <Stack gap="md">
      <Group justify="space-between" gap="xs" {...(isHeadingHidden && { className: 'visually-hidden' })}>
        <div>
          <Title order={2}>{title}</Title>
          {hint !== undefined && (
            <Text c="dimmed" size="sm" mt={2}>
              {hint}
            </Text>
          )}
        </div>
        {action}
      </Group>
      {children}
    </Stack>
  </Paper>
);
