/** A number with its label. */
import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly note: string;
}

export const Figure = ({ name, value, note }: FigureProps) => (
  <Paper p="md">
    <Text size="sm" c="dimmed">
      {name}
    </Text>
    <Text fz={28} lh={1.3} fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {value}
    </Text>
    <Text size="sm" c="dimmed">
      {note}
    </Text>
  </Paper>
);
