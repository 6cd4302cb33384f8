/** Finds web addresses, account names and phone numbers in texts derived from untrusted input. */

const forms = [
  /:\/\/|\bwww\./i,
  // A domain name: letters on both sides of a dot, except in `Node.js` and abbreviations such as `Ph.D.` and `a.m.`.
  /[\p{L}\p{N}]\.(?!js\b)\p{L}{2,}/iu,
  /[a-z\d]。[a-z]{2,}/i,
  /\s\.(?:com|net|org|io|br|pt)\b/i,
  /\b(?:ponto|punto|dot)\s+(?:com|net|org|br)\b/i,
  /@/,
  // A phone number: eight digits or more that are not a range of years.
  /(?<!\p{N})(?!(?:19|20)\d\d\D{1,3}(?:19|20)\d\d(?!\d))(?:\p{N}[\s().\-–—/]{0,3}){8,}/u,
];

/** Lookalike characters count as the characters that they resemble. */
export const hasContactDetails = (text: string): boolean => {
  const plain = text.normalize('NFKC');
  return forms.some((form) => form.test(plain));
};
