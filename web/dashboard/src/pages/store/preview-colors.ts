import {
  accentsOf,
  type ColorScheme,
  parseColor,
} from "../../../../../src/deposits/storefront/accent-color.ts";

/** The payment page's own colors, as in `web/page/src/styles/colors.css`. */
export const pageColors = {
  light: {
    back: "#eef2f1",
    card: "#ffffff",
    ink: "#13201d",
    soft: "#51615c",
    line: "#d8e0dd",
    accent: "#0b6b5d",
    "accent-ink": "#ffffff",
  },
  dark: {
    back: "#0e1416",
    card: "#171f21",
    ink: "#e8efed",
    soft: "#a3b3ae",
    line: "#2d393a",
    accent: "#6fd6c0",
    "accent-ink": "#062019",
  },
} as const satisfies Readonly<Record<ColorScheme, Readonly<Record<string, string>>>>;

/** The colors of the payment page in a scheme, with the store's where it has valid ones, as CSS properties. */
export function previewColors(
  scheme: ColorScheme,
  {
    accent_color,
    accent_color_dark,
  }: { readonly accent_color: string; readonly accent_color_dark: string },
): Readonly<Record<`--page-${string}`, string>> {
  const accent = accentsOf(parseColor(accent_color), parseColor(accent_color_dark))?.[scheme];
  const branded = accent === undefined ? {} : { accent: accent.color, "accent-ink": accent.ink };
  return Object.fromEntries(
    Object.entries({ ...pageColors[scheme], ...branded }).map(([name, value]) => [
      `--page-${name}` as const,
      value,
    ]),
  );
}
