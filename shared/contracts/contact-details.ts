/** Finds addresses, names of accounts and phone numbers in texts that come from what strangers say. */

const forms = [
  /:\/\/|\bwww\./i,
  // A domain: letters on both sides of a dot. `Node.js` and abbreviations such as `Ph.D.` and `a.m.` are none.
  /[\p{L}\p{N}]\.(?!js\b)\p{L}{2,}/iu,
  /[a-z\d]。[a-z]{2,}/i,
  /\s\.(?:com|net|org|io|br|pt)\b/i,
  /\b(?:ponto|punto|dot)\s+(?:com|net|org|br)\b/i,
  /@/,
  // Eight digits or more that are no range of years.
  /(?<!\p{N})(?!(?:19|20)\d\d\D{1,3}(?:19|20)\d\d(?!\d))(?:\p{N}[\s().\-–—/]{0,3}){8,}/u,
];

/** Characters that look like others count as those. */
export const hasContactDetails = (text: string): boolean => {
  const plain = text.normalize('NFKC');
  return forms.some((form) => form.test(plain));
};
