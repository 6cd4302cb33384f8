/** Sends a request once: repeats after a failure have the same idempotency key, until the request changes. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts';
import { generate } from './generate.ts';
import type { Request } from './request.ts';

export interface Sending {
  readonly send: () => void;
  readonly isPending: boolean;
  readonly error: unknown;
}

export function useSending(request: Request, onCreated: (taskId: string) => void): Sending {
  const queries = useQueryClient();
  const [key, renew] = useIdempotencyKey();
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: () => generate(request, key),
    onSuccess: (taskId) => {
      renew();
      onCreated(taskId);
      void queries.invalidateQueries();
    },
  });
  const sent = JSON.stringify([request.operation, request.mode, request.body, request.clientReference]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another request gets another key
  useEffect(() => {
    reset();
    renew();
  }, [sent]);
  return { send: () => mutate(), isPending, error };
}
