/** How the service counts characters: in Unicode code points, so that an emoji is one. */

export const countCodePoints = (text: string): number => Array.from(text).length;
