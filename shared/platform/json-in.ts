/** Parses JSON from an untrusted text; undefined if it is invalid. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
