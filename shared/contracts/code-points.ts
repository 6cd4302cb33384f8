/** Counts characters in Unicode code points, so that an emoji counts as one. */

export const countCodePoints = (text: string): number => Array.from(text).length;
