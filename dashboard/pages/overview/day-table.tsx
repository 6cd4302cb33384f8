/** The numbers of a chart as a table of days, which screen readers read instead of it. */
import { useLanguage } from '../../language/language.tsx';

interface DayTableProps {
  readonly title: string;
  /** The names of the columns after that of the day. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly day: string; readonly values: readonly number[] }[];
}

export function DayTable({ title, columns, rows }: DayTableProps) {
  const { text, format } = useLanguage();
  return (
    <table className="visually-hidden">
      <caption>{title}</caption>
      <thead>
        <tr>
          {[text.overview.day, ...columns].map((column) => (
            <th scope="col" key={column}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ day, values }) => (
          <tr key={day}>
            <th scope="row">{format.usageDay(day)}</th>
            {values.map((value, index) => (
              <td key={columns[index]}>{format.number(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
