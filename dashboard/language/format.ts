/** Formats numbers, money, dates and durations in the language of the page. */

/** The languages of the dashboard, as users choose them. */
export const languageNames = { 'pt-BR': 'Português', en: 'English' } as const;
export type Locale = keyof typeof languageNames;
export const locales = Object.keys(languageNames) as readonly Locale[];

const seconds = { minute: 60, hour: 3600, day: 86_400 } as const;

/** The duration is never below zero, even if the clocks of browser and service differ. */
const secondsSince = (date: string): number => Math.max(0, (Date.now() - Date.parse(date)) / 1000);

function ago(date: string, relative: Intl.RelativeTimeFormat, day: Intl.DateTimeFormat): string {
  const since = secondsSince(date);
  if (since < seconds.minute) return relative.format(0, 'second');
  if (since < seconds.hour) return relative.format(-Math.floor(since / seconds.minute), 'minute');
  if (since < seconds.day) return relative.format(-Math.floor(since / seconds.hour), 'hour');
  if (since < 7 * seconds.day) return relative.format(-Math.floor(since / seconds.day), 'day');
  return day.format(new Date(date));
}

export function formatsOf(locale: Locale) {
  const number = new Intl.NumberFormat(locale);
  const choice = new Intl.ListFormat(locale, { type: 'disjunction' });
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL' });
  const unitPrice = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'BRL',
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
  });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const dayOfUsage = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const bytes = (value: number): string => {
    const [unit, size] = value < 1e6 ? (['kilobyte', 1e3] as const) : (['megabyte', 1e6] as const);
    const digits = value < 1e6 ? 0 : 1;
    return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: digits }).format(value / size);
  };
  return {
    number: (value: number) => number.format(value),
    oneOf: (names: readonly string[]) => choice.format(names),
    money: (value: number) => money.format(value),
    unitPrice: (value: number) => unitPrice.format(value),
    moment: (date: string) => moment.format(new Date(date)),
    time: (date: string) => time.format(new Date(date)),
    exact: (date: string) => exact.format(new Date(date)),
    day: (date: string) => day.format(new Date(date)),
    /** Formats a UTC calendar day such as `2026-11-22`. */
    usageDay: (date: string) => dayOfUsage.format(new Date(`${date}T00:00:00Z`)),
    month: (date: string) => month.format(new Date(`${date}T00:00:00Z`)),
    bytes,
    signed: (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${number.format(Math.abs(value))}`,
    duration(value: number): string {
      const [unit, size] = value < seconds.minute ? (['second', 1] as const) : (['minute', seconds.minute] as const);
      const format = new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: 1,
      });
      return format.format(value / size);
    },
    ago: (date: string) => ago(date, relative, day),
  };
}

export type Formats = ReturnType<typeof formatsOf>;
