/** Texts that can be copied: buttons, secrets and code. */
import { Button, Group, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useLanguage } from '../language/language.tsx';
import { Icon } from './icon.tsx';

interface CopyProps {
  readonly value: string;
  readonly label?: string;
  readonly variant?: string;
  /** The accessible name of the text to copy, for users who cannot see what the button is next to. */
  readonly of?: string;
}

export function Copy({ value, label, of, variant = 'default' }: CopyProps) {
  const { text } = useLanguage();
  const clipboard = useClipboard({ timeout: 2000 });
  const shown = clipboard.copied ? text.common.copied : (label ?? text.common.copy);
  return (
    <Button
      size="xs"
      variant={variant}
      leftSection={<Icon name={clipboard.copied ? 'check' : 'copy'} size={14} />}
      onClick={() => clipboard.copy(value)}
      {...(of !== undefined && { 'aria-label': `${shown}: ${of}` })}
    >
      <span aria-live="polite">{shown}</span>
    </Button>
  );
}

interface CodeProps {
  readonly code: string;
  readonly label: string;
  /** The complete text to copy, if only part of it is shown. */
  readonly copied?: string;
}

export const CodeBlock = ({ code, label, copied = code }: CodeProps) => (
  <figure className="code">
    <Group component="figcaption" justify="space-between" gap="xs" wrap="nowrap">
      <Text size="xs" c="dimmed" fw={500}>
        {label}
      </Text>
      <Copy value={copied} of={label} />
    </Group>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the keyboard */}
    <pre tabIndex={0}>
      <code>{code}</code>
    </pre>
  </figure>
);
