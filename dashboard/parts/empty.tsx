/** Shown instead of an empty list, with what to do next. */
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly hint?: string;
  readonly children?: ReactNode;
}

export const Empty = ({ icon, title, hint, children }: EmptyProps) => (
  <Stack align="center" gap="xs" py="xl" ta="center">
    <span className="empty-icon">
      <Icon name={icon} size={26} />
    </span>
    <Text fw={600}>{title}</Text>
    {hint !== undefined && (
      <Text c="dimmed" size="sm" maw={420}>
        {hint}
      </Text>
    )}
    {children}
  </Stack>
);
