/** A text box to write as the page, with a character counter; a text that may have been sent is not sent twice. */
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { countCodePoints } from '../../../shared/contracts/code-points.ts';
import type { pilotoCommentContracts } from '../../../shared/contracts/piloto-comments.ts';
import type { pilotoMessageContracts } from '../../../shared/contracts/piloto-messages.ts';
import type { Request } from '../../api/call.ts';
import { useCall } from '../../api/use-api.ts';
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts';
import { useLanguage } from '../../language/language.tsx';
import { NetworkFailure } from './network-failure.tsx';

type Writing = typeof pilotoMessageContracts.sendMessage | typeof pilotoCommentContracts.replyToComment;

const longestText = 1000;

/** The length of a text in UTF-8 bytes. */
export const inBytes = (text: string): number => new TextEncoder().encode(text).length;

interface ComposeProps<Contract extends Writing> {
  readonly label: string;
  readonly hint?: string;
  readonly contract: Contract;
  readonly requestOf: (text: string) => Request<Contract>;
  readonly onSent: () => void;
  readonly measure?: (text: string) => number;
  readonly limit?: number;
}

/** The text and how it is sent. Retries after a failure count as the same request until the text changes. */
function useWriting<Contract extends Writing>({ contract, requestOf, onSent }: ComposeProps<Contract>) {
  const [written, setWritten] = useState('');
  const [idempotencyKey, renew] = useIdempotencyKey();
  const sending = useCall<Contract>(contract, {
    onSuccess: () => {
      setWritten('');
      renew();
      onSent();
    },
  });
  const write = (text: string) => {
    if (sending.isError) renew();
    sending.reset();
    setWritten(text);
  };
  const send = () => sending.mutate({ ...requestOf(written), idempotencyKey });
  return { written, write, send, isPending: sending.isPending, error: sending.error };
}

export function Compose<Contract extends Writing>(props: ComposeProps<Contract>) {
  const { label, hint, measure = countCodePoints, limit = longestText } = props;
  const { text, format } = useLanguage();
  const { written, write, send, isPending, error } = useWriting(props);
  const used = measure(written);
  const canSend = written.trim() !== '' && used <= limit && !isPending;
  const submit = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    if (canSend) send();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={6}>
        <Textarea
          label={label}
          description={hint}
          autosize
          minRows={2}
          maxRows={8}
          value={written}
          disabled={isPending}
          error={used > limit}
          onChange={({ currentTarget }) => write(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit(event)}
        />
        <Group justify="space-between" gap="sm">
          <Text size="xs" c={used > limit ? 'var(--mantine-color-error)' : 'dimmed'}>
            {text.inbox.length(format.number(used), format.number(limit))}
          </Text>
          <Button type="submit" size="xs" loading={isPending} disabled={!canSend}>
            {text.inbox.send}
          </Button>
        </Group>
        <NetworkFailure error={error} />
      </Stack>
    </form>
  );
}
