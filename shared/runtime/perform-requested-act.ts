/** Performs or previews the act that a request of an operator's page names. */
import type * as z from 'zod';
import { presentAct } from '../domain/operator-reads/present-act.ts';
import type { Act } from '../domain/operators/act.ts';
import {
  type ActNeeds,
  type ActRequest,
  type Performed,
  type Preview,
  performAct,
  previewAct,
} from '../domain/operators/perform-act.ts';
import { Rejection } from '../domain/rejection.ts';
import type { OperatorActor } from './actor.ts';

/** An act without its specific types, except for what is needed here. */
interface OfferedAct<Needs> {
  readonly perform: (needs: Needs, request: ActRequest) => Promise<Performed<unknown>>;
  readonly preview: (needs: Needs, request: ActRequest) => Promise<Preview>;
}

/** Acts that a function offers, by name. */
export type OfferedActs<Name extends string, Needs> = Readonly<Record<Name, OfferedAct<Needs>>>;

/** Makes an act available to requests under its name. */
export const offered = <Needs extends ActNeeds, Schema extends z.ZodType, State, Result extends object>(
  act: Act<Needs, Schema, State, Result>,
): OfferedAct<Needs> => ({
  perform: (needs, request) => performAct(needs, act, request),
  preview: (needs, request) => previewAct(needs, act, request),
});

interface RequestedAct<Name extends string> {
  readonly actor: OperatorActor;
  readonly params: { readonly act: Name };
  readonly headers: { readonly 'x-dry-run'?: string | undefined };
  readonly body: { readonly reason: string; readonly input: Readonly<Record<string, unknown>> };
  readonly idempotency: { readonly key: string } | undefined;
  readonly requestId: string;
}

/** @throws {Rejection} as the act does, and invalid if the request has no idempotency key */
export async function performRequestedAct<Name extends string, Needs>(
  acts: OfferedActs<Name, Needs>,
  { actor, body, headers, idempotency, params, requestId }: RequestedAct<Name>,
  needs: Needs,
) {
  const { [params.act]: act } = acts;
  const { email: name, operatorId: id, role } = actor;
  const request = { ...body, operator: { id, name, role }, requestId };
  if (headers['x-dry-run'] === 'true') {
    const { after = null, before = null } = await act.preview(needs, request);
    return { after, before };
  }
  if (!idempotency) throw new Rejection('invalid', { message: 'Idempotency-Key is required' });
  // The result of an act is not returned, because it may contain secrets: pages show what the log contains.
  const { entry } = await act.perform(needs, { ...request, key: idempotency.key });
  return presentAct(entry);
}
