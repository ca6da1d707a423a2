import {
  type AccentPlace,
  accentFault,
  contrastMin,
  parseColor,
} from "../../../../../src/deposits/storefront/accent-color.ts";
import type { PlainText } from "../../language/catalogs.ts";
import { t } from "../../language/t.ts";

const places: Readonly<Record<AccentPlace, PlainText>> = {
  page: "links below the card",
  card: "links on the card",
  list: "links in the list of payments",
  button: "small buttons",
};

/** Why payers could not read the color in its mode; null for a readable color, and for a text that is no color. */
export function colorProblem(
  text: string,
  name: "accent_color" | "accent_color_dark",
): string | null {
  const color = parseColor(text);
  const fault =
    color === null ? null : accentFault(color, name === "accent_color" ? "light" : "dark");
  if (color === null || fault === null) return null;
  const { background, contrast, nearest, place } = fault;
  const values = {
    color,
    background,
    contrast,
    nearest,
    place: t(places[place]),
    min: String(contrastMin),
  };
  return name === "accent_color"
    ? t(
        "The contrast of {color} with the light background {background} ({place}) is {contrast}:1. Text needs at least {min}:1. The nearest color that is readable is {nearest}.",
        values,
      )
    : t(
        "The contrast of {color} with the dark background {background} ({place}) is {contrast}:1. Text needs at least {min}:1. The nearest color that is readable is {nearest}.",
        values,
      );
}
