/** How the register of personal data describes a kind of row, object, message or record. */
import type { Key } from '../../platform/dynamo-table.ts';

/**
 * What a field says about a person. `personal`: it names or describes a person, or is text or media of one. `link`: an
 * id or digest that leads to a person only together with other rows. `secret`: an access secret or its digest. `fact`: a
 * time, a sum or a state.
 */
export type FieldClass = 'personal' | 'link' | 'secret' | 'fact';

/** Why the data may be processed, in the terms of LGPD article 7 and GDPR article 6. */
export type LegalGround = 'contract' | 'legal obligation' | 'legitimate interest' | 'consent';

/**
 * What happens to the data when an account is erased. `erased`: they are removed. `kept`: they stay, without personal
 * fields. `expires`: they have expired before the erasure, or will soon. `none`: they contain nothing of an account.
 */
export type ErasureRule = 'erased' | 'kept' | 'expires' | 'none';

/** A kind of data, wherever it is stored. */
export interface DataKind {
  readonly what: string;
  readonly why: string;
  readonly ground: LegalGround;
  /** How long data of this kind are stored. */
  readonly kept: string;
  readonly erasure: ErasureRule;
}

/** A kind of row of the table. */
export interface RowKind extends DataKind {
  /**
   * The beginnings of the row's keys, as in `keys.ts`. The sort key is empty if all rows of the partition are of this
   * kind.
   */
  readonly pk: string;
  readonly sk: string;
  /** All fields except those of the keys and indexes, with their classes; `*` stands for any other name. */
  readonly fields: Readonly<Record<string, FieldClass>>;
}

const beginningOf = (key: string): string => (key.includes('#') ? key.slice(0, key.indexOf('#') + 1) : key);

/** The beginnings of the keys of a kind of row, from the key of any such row. */
export const keysLike = ({ pk, sk }: Key): Pick<RowKind, 'pk' | 'sk'> => ({ pk: beginningOf(pk), sk: beginningOf(sk) });

/** Matches all rows whose partition key begins in this way, whatever their sort keys. */
export const wholePartition = ({ pk }: Pick<Key, 'pk'>): Pick<RowKind, 'pk' | 'sk'> => ({
  pk: beginningOf(pk),
  sk: '',
});

const all = (fieldClass: FieldClass) => (names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, fieldClass]));

/** Fields of a class, by their names, separated by spaces. */
export const personal = all('personal');
export const links = all('link');
export const secrets = all('secret');
export const facts = all('fact');
