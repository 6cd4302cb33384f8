/** Mutants that no test can tell from the product, each with the reason why. */

export interface EquivalentMutant {
  readonly file: string;
  /** The line on which it begins, without its indentation. */
  readonly code: string;
  /** What stands there in place of the product's code. */
  readonly replacement: string;
  readonly reason: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: 'shared/domain/accounts/ledger-store.ts',
    code: "ExpressionAttributeValues: { ':pk': ledgerKey(accountId, '').pk },",
    replacement: '"Stryker was here!"',
    reason: 'The key is made for its partition; the row that completes it is not looked at.',
  },
  {
    file: 'shared/domain/generation/request-generation.ts',
    code: '...(clientReference !== undefined && { clientReference }),',
    replacement: 'true',
    reason: 'The table’s client leaves out what is undefined; the condition is there for the type, which forbids it.',
  },
  {
    file: 'shared/platform/dial-address.ts',
    code: 'export const connectTcp: Connect = ({ address, port }) => openSocket({ host: address, port, noDelay: true });',
    replacement: 'false',
    reason: 'Whether small packets are held back is a matter of speed alone.',
  },
  {
    file: 'shared/platform/url-policy.ts',
    code: String.raw`const THIS_MACHINE = /^(?:127\.0\.0\.1|localhost):\d+$/iu;`,
    replacement: String.raw`/^(?:127\.0\.0\.1|localhost):\d+/iu`,
    reason: 'No URL has anything but digits in its port: with more after them the text was no URL before.',
  },
];
