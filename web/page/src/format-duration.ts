const secondMs = 1_000;
const minuteSeconds = 60;
const hourSeconds = 3_600;
const daySeconds = 86_400;

/** Formats `4:05`, `1:04:05`, or whole days from two days on. Rounds up, so that 0:00 means the time is over. */
export function formatDuration(ms: number, locale: string): string {
  const total = Math.ceil(ms / secondMs);
  if (total >= 2 * daySeconds) {
    const days = Math.floor(total / daySeconds);
    return new Intl.NumberFormat(locale, {
      style: "unit",
      unit: "day",
      unitDisplay: "long",
    }).format(days);
  }
  const hours = Math.floor(total / hourSeconds);
  const minutes = Math.floor((total % hourSeconds) / minuteSeconds);
  const seconds = String(total % minuteSeconds).padStart(2, "0");
  return hours === 0
    ? `${minutes}:${seconds}`
    : `${hours}:${String(minutes).padStart(2, "0")}:${seconds}`;
}
