/** Stripe's documented test card numbers, and the results of payments with them. */

export interface TestCard {
  readonly number: string;
  readonly label: string;
  /** Why the card is declined; undefined if it is accepted. */
  readonly declineCode?: string;
  readonly renewals: 'pay' | 'fail';
}

export const testCards = [
  { number: '4242424242424242', label: 'Card that pays', renewals: 'pay' },
  { number: '4000000000000341', label: 'Card that pays now and fails at renewals', renewals: 'fail' },
  { number: '4000000000000002', label: 'Card that is declined', declineCode: 'generic_decline', renewals: 'fail' },
  {
    number: '4000000000009995',
    label: 'Card without sufficient funds',
    declineCode: 'insufficient_funds',
    renewals: 'fail',
  },
] as const satisfies readonly TestCard[];

/** Finds a card; spaces in the number are ignored. */
export const cardWith = (number: string): TestCard | undefined =>
  testCards.find((card) => card.number === number.replaceAll(' ', ''));
