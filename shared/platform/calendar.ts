/** Adds months to a date, in UTC. */

const lastDayOf = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** The same day and time of a later month, or that month's last day if it is shorter. */
export function addMonths(from: number, months: number): number {
  const date = new Date(from);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  const [year, monthOfYear] = [Math.floor(month / 12), month % 12];
  const day = Math.min(date.getUTCDate(), lastDayOf(year, monthOfYear));
  return (
    Date.UTC(year, monthOfYear, day) + (from - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
  );
}
