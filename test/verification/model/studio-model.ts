/** What a command may make of files and of the Studio's resources. */
import { isDeepStrictEqual as same } from 'node:util';
import { ensure } from '../oracle/ensure.ts';
import type { OwnedRow, StudioSnapshot } from '../oracle/studio-snapshot.ts';
import type { UploadedContent } from './uploads.ts';

export interface StudioModel {
  /** What was uploaded last, by file. */
  readonly uploads: Map<string, UploadedContent>;
}

export const newStudioModel = (): StudioModel => ({ uploads: new Map() });

type Kind = 'files' | 'products' | 'avatars';

/** Whatever a command does not name must stay as it is. */
export interface StudioPermit {
  readonly births?: {
    readonly kind: Kind;
    readonly accountId: string;
    /** How many resources appear, unless a fault was more than the service gets over; then, at most so many do. */
    readonly exactly: number;
  };
  /** Files that become used with it, if they are not yet. */
  readonly uses?: readonly string[];
  /** The avatar that it replaces. */
  readonly replaces?: string | undefined;
  /** Files that it removes. */
  readonly removes?: readonly string[];
  /** The ids in the responses: what they name exists afterwards. */
  readonly named?: readonly string[];
}

const isNew =
  (before: ReadonlyMap<string, OwnedRow>) =>
  ([id]: [string, OwnedRow]): boolean =>
    !before.has(id);

function births(kind: Kind, before: StudioSnapshot, after: StudioSnapshot, permit: StudioPermit, strict: boolean) {
  const born = [...after[kind]].filter(isNew(before[kind]));
  const expected = permit.births?.kind === kind ? permit.births : undefined;
  const evidence = { kind, born, expected };
  ensure(born.length <= (expected?.exactly ?? 0), 'no more resources appear than were asked for', evidence);
  ensure(
    born.every(([, { accountId }]) => accountId === expected?.accountId),
    'a resource belongs to the account that asked for it',
    evidence,
  );
  if (strict) ensure(born.length === (expected?.exactly ?? 0), 'as many resources appear as must', evidence);
}

const mayChange = (kind: Kind, id: string, { uses = [], replaces }: StudioPermit): boolean =>
  kind === 'files' ? uses.includes(id) : kind === 'avatars' && id === replaces;

/** Holds the resources after a command against what it was permitted. */
export function agreeOnStudio(
  before: StudioSnapshot,
  after: StudioSnapshot,
  permit: StudioPermit = {},
  strict: boolean,
): void {
  for (const kind of ['files', 'products', 'avatars'] as const) {
    births(kind, before, after, permit, strict);
    for (const [id, was] of before[kind]) {
      const is = after[kind].get(id);
      const isRemoved = kind === 'files' && permit.removes?.includes(id) === true;
      const isRight = isRemoved ? is === undefined : mayChange(kind, id, permit) || same(was, is);
      ensure(isRight, 'a resource changes only as it may', { kind, was, is });
    }
  }
  const { uses = [], named = [], births: expected } = permit;
  if (strict)
    for (const id of uses) ensure(after.files.get(id)?.row.key !== undefined, 'a file that is used is kept', id);
  for (const id of named) {
    const resource = expected && after[expected.kind].get(id);
    ensure(resource?.accountId === expected?.accountId, 'a response names a resource of its account', { id, resource });
  }
}
