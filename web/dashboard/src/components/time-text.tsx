import { locale } from "../language/language.ts";

const clock = { hour: "numeric", minute: "2-digit" } as const;
const day = { month: "short", day: "numeric" } as const;
const formats = {
  minutes: new Intl.DateTimeFormat(locale, { ...day, ...clock }),
  seconds: new Intl.DateTimeFormat(locale, { ...day, ...clock, second: "2-digit" }),
  withYear: {
    minutes: new Intl.DateTimeFormat(locale, { ...day, ...clock, year: "numeric" }),
    seconds: new Intl.DateTimeFormat(locale, {
      ...day,
      ...clock,
      year: "numeric",
      second: "2-digit",
    }),
  },
};

/**
 * An API timestamp (`2026-01-02T03:04:05.678901Z`) in the reader's time zone, with the year unless it is the current one; null
 * shows a dash.
 */
export function TimeText({
  value,
  withSeconds = false,
}: {
  readonly value: string | null;
  readonly withSeconds?: boolean;
}) {
  if (value === null) return <span>–</span>;
  const at = new Date(value);
  const isThisYear = at.getFullYear() === new Date().getFullYear();
  const { minutes, seconds } = isThisYear ? formats : formats.withYear;
  return (
    <time dateTime={value} title={value}>
      {(withSeconds ? seconds : minutes).format(at)}
    </time>
  );
}
