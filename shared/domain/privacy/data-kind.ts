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
 * What the erasure of an account does. `erased`: removed. `kept`: stays, without its personal fields. `expires`: has
 * expired before the erasure, or soon does. `none`: contains nothing of an account.
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
  /** The beginnings of its keys, as in `keys.ts`: the sort key is empty if the partition has no other kind. */
  readonly pk: string;
  readonly sk: string;
  /** The fields besides those of the keys and indexes; `*` stands for any other name. */
  readonly fields: Readonly<Record<string, FieldClass>>;
}

const beginningOf = (key: string): string => (key.includes('#') ? key.slice(0, key.indexOf('#') + 1) : key);

/** The beginnings of keys, from any one of them. */
export const keysLike = ({ pk, sk }: Key): Pick<RowKind, 'pk' | 'sk'> => ({ pk: beginningOf(pk), sk: beginningOf(sk) });

/** The beginning of a partition key, whatever the sort key. */
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
