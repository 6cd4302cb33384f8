/** A page: its title, its description and its main action. */
import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useLanguage } from '../language/language.tsx';

interface PageProps {
  readonly title: string;
  readonly lead?: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, lead, action, children }: PageProps) {
  const { text } = useLanguage();
  useEffect(() => {
    document.title = `${title} · ${text.shell.service}`;
  }, [title, text]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="sm">
        <div style={{ overflowWrap: 'anywhere' }}>
          <Title order={1}>{title}</Title>
          {lead !== undefined && (
            <Text c="dimmed" mt={4}>
              {lead}
            </Text>
          )}
        </div>
        {action}
      </Group>
      {children}
    </Stack>
  );
}
