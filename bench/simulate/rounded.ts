/** Two significant digits below 100; thousands with commas above. */
export const rounded = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(2)));
