/** Sends a request once: repeats after a failure have the same idempotency key, until the request changes. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { generate } from './generate.ts';
import { keyPerRequest } from './key-per-request.ts';
import type { Generation, Request } from './request.ts';

export interface Sending {
  readonly send: () => void;
  readonly isPending: boolean;
  readonly error: unknown;
}

export function useSending(request: Request, onCreated: (taskId: string) => void): Sending {
  const queries = useQueryClient();
  const [keyOf] = useState(keyPerRequest);
  const [created, setCreated] = useState(0);
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: ({ generation, key }: { readonly generation: Generation; readonly key: string }) =>
      generate(generation, key),
    onSuccess: (taskId) => {
      setCreated((count) => count + 1);
      onCreated(taskId);
      void queries.invalidateQueries();
    },
  });
  const { operation, mode, body, clientReference } = request;
  const sent = [operation, mode, body, clientReference];
  const text = JSON.stringify(sent);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error is about the request that was sent
  useEffect(() => reset(), [text]);
  return { send: () => mutate({ generation: request, key: keyOf([...sent, created]) }), isPending, error };
}
