/** The rows of uploaded files and of the Studio's resources at one moment, and the responses of their keys. */
import type { Item } from '../../../shared/platform/dynamo-table.ts';

/** A row without its key. */
export interface OwnedRow {
  readonly accountId: string;
  readonly row: Item;
}

/** What is stored under an idempotency key: a response, or the claim of a request without one. */
export interface SeenResponse {
  readonly accountId: string;
  readonly operationId: string;
  readonly body: string | undefined;
  readonly validUntil: number;
  readonly leaseUntil: number;
}

type Rows = ReadonlyMap<string, OwnedRow>;

export interface StudioSnapshot {
  readonly files: Rows;
  readonly products: Rows;
  readonly avatars: Rows;
  /** The entries of accounts' lists of products, by {@link ownedName}. */
  readonly listed: readonly string[];
  /** The id of the avatar from each origin, by {@link ownedName}. */
  readonly origins: ReadonlyMap<string, string>;
  /** By {@link responseName}. */
  readonly responses: ReadonlyMap<string, SeenResponse>;
}

export const ownedName = (accountId: string, id: string): string => `${accountId} ${id}`;

export const responseName = (accountId: string, operationId: string, digest: string): string =>
  `${accountId} ${operationId} ${digest}`;

const partsOf = ({ pk }: Item): string[] => String(pk).split('#').slice(1);

function seenResponse(item: Item): [string, SeenResponse] {
  const [accountId = '', operationId = '', digest = ''] = partsOf(item);
  const { body, validUntil, leaseUntil } = item;
  const seen = {
    accountId,
    operationId,
    body: body as string | undefined,
    validUntil: Number(validUntil),
    leaseUntil: Number(leaseUntil ?? 0),
  };
  return [responseName(accountId, operationId, digest), seen];
}

export function studioSnapshotOf(items: readonly Item[]): StudioSnapshot {
  const of = (kind: string) => items.filter(({ pk }) => String(pk).startsWith(`${kind}#`));
  const owned = (kind: string): Rows =>
    new Map(
      of(kind).map(({ pk, sk: _sk, ...row }) => {
        const [accountId = '', id = ''] = partsOf({ pk });
        return [id, { accountId, row }];
      }),
    );
  return {
    files: owned('FILE'),
    products: owned('PRODUCT'),
    avatars: owned('AVATAR'),
    listed: of('PRODUCTS').map((item) => ownedName(partsOf(item)[0] ?? '', String(item.sk))),
    origins: new Map(
      of('ORIGIN').map((item) => {
        const [accountId = '', digest = ''] = partsOf(item);
        return [ownedName(accountId, digest), String(item.avatarId)];
      }),
    ),
    responses: new Map(
      of('IDEMPOTENCY')
        .filter(({ taskId }) => taskId === undefined)
        .map(seenResponse),
    ),
  };
}
