/** The numbers of a chart as a table of days, which screen readers read instead of it. */
import { useLanguage } from '../../language/language.tsx';

interface DayTableProps {
  readonly title: string;
  /** The names of the columns after that of the day. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly day: string; readonly values: readonly (number | string)[] }[];
}

export function DayTable({ title, columns, rows }: DayTableProps) {
  const { text, format } = useLanguage();
  return (
    <div className="visually-hidden">
      <table>
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
                <td key={columns[index]}>{typeof value === 'number' ? format.number(value) : value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
