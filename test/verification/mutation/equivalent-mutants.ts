/** Mutants that no test can tell from the product, each with the reason. */

export interface EquivalentMutant {
  readonly file: string;
  /** The line on which it begins, without its indentation. */
  readonly code: string;
  /** What the mutant has in place of the product's code. */
  readonly replacement: string;
  readonly reason: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: 'shared/domain/accounts/ledger-store.ts',
    code: "ExpressionAttributeValues: { ':pk': ledgerKey(accountId, '').pk },",
    replacement: '"Stryker was here!"',
    reason: 'Only the partition of this key is used; its sort key is never read.',
  },
  {
    file: 'shared/domain/generation/request-generation.ts',
    code: '...(clientReference !== undefined && { clientReference }),',
    replacement: 'true',
    reason: 'The table’s client drops undefined values; the condition only satisfies the type, which forbids them.',
  },
  {
    file: 'shared/platform/dial-address.ts',
    code: 'export const connectTcp: Connect = ({ address, port }) => openSocket({ host: address, port, noDelay: true });',
    replacement: 'false',
    reason: 'Delaying small packets affects speed alone.',
  },
  {
    file: 'shared/platform/url-policy.ts',
    code: String.raw`const THIS_MACHINE = /^(?:127\.0\.0\.1|localhost):\d+$/iu;`,
    replacement: String.raw`/^(?:127\.0\.0\.1|localhost):\d+/iu`,
    reason: 'A parsed URL has only digits in its port, so nothing can follow them.',
  },
];
