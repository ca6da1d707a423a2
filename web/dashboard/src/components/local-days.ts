type Filter = Readonly<Record<string, string>>;
/** The instant at which a day begins; `month` counts from 0. A day after the month's last is one of the next month. */
export type StartOfDay = (year: number, month: number, day: number) => Date;

/**
 * A list's filters for the service: the days of `<name>_from` and `<name>_to` as the instants at which they begin and end for the
 * reader, as all times on the page are shown. The service would take a bare date as a day of UTC.
 */
export function localDays(filter: Filter, startOfDay: StartOfDay = startOfLocalDay): Filter {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      const side = /_(from|to)$/.exec(name)?.[1];
      return [name, side === undefined ? value : (boundOf(value, side, startOfDay) ?? value)];
    }),
  );
}

/** Null if the text is not a day, or one that no timestamp can express. */
function boundOf(text: string, side: string, startOfDay: StartOfDay): string | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const start = (after: number) => startOfDay(Number(year), Number(month) - 1, Number(day) + after);
  const bound =
    side === "from"
      ? start(0).toISOString()
      : new Date(start(1).getTime() - 1).toISOString().replace("Z", "999Z");
  return /^\d{4}-/.test(bound) ? bound : null;
}

function startOfLocalDay(year: number, month: number, day: number): Date {
  const date = new Date(2000, 0, 1);
  // The constructor takes years below 100 for those of the 20th century.
  date.setFullYear(year, month, day);
  return date;
}
