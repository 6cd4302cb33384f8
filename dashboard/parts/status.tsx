/** A status as text with a colored dot; the color is never the only indication. */
import { Text } from '@mantine/core';

const tones = {
  good: ['completed', 'paid', 'active', 'delivered', 'connected'],
  bad: ['failed', 'revoked'],
  busy: ['processing', 'submitted', 'erasing'],
  warn: ['past_due', 'expired', 'refunded'],
} as const;

const toneOf = (status: string): string =>
  Object.entries(tones).find(([, statuses]) => statuses.some((one) => one === status))?.[0] ?? 'idle';

export const Status = ({ status, label }: { readonly status: string; readonly label: string }) => (
  <Text component="span" size="sm" fw={500} className="status" data-tone={toneOf(status)}>
    {label}
  </Text>
);
