/*
 * The store's color on its pages, for links, buttons and marks. Text must be readable in it: WCAG 2.2 asks for a contrast of 4.5:1
 * (criterion 1.4.3) on every background that the pages have.
 */

export type ColorScheme = "light" | "dark";

/** A color for text and buttons, and the color of text on it: `#rrggbb`. */
export type Accent = { readonly color: string; readonly ink: string };

export const contrastMin = 4.5;

export type Accents = { readonly light: Accent; readonly dark: Accent };

/** The backgrounds of `web/page/src/styles/colors.css` on which the accent is text: page, card and well. */
export const backgrounds = {
  light: ["#eef2f1", "#ffffff", "#f4f7f6"],
  dark: ["#0e1416", "#171f21", "#1f292b"],
} as const satisfies Readonly<Record<ColorScheme, readonly string[]>>;

/** The share of the accent in the background of marks and quiet buttons (`--accent-well`), which is a tinted card. */
export const tint = 0.1;

/** As many as a channel has values, so that no nearer mixture is passed over. */
const mixSteps = 255;

const inks = ["#ffffff", "#06110e"] as const;
const hexColor = /^#[0-9a-f]{6}$/;

/** `#rrggbb` in lower case; null for anything else. */
export function parseColor(text: string): string | null {
  const color = text.trim().toLowerCase();
  return hexColor.test(color) ? color : null;
}

/** The accent in a scheme, with the ink that contrasts more. */
export function accentOf(color: string): Accent {
  const [light, dark] = inks;
  return { color, ink: contrast(color, light) >= contrast(color, dark) ? light : dark };
}

/** Both schemes' accents: a color that is given for one scheme only is adapted to the other. Null without colors. */
export function accentsOf(lightColor: string | null, darkColor: string | null): Accents | null {
  const light = lightColor ?? darkColor;
  const dark = darkColor ?? lightColor;
  return light === null || dark === null
    ? null
    : {
        light: accentOf(readableColor(light, "light")),
        dark: accentOf(readableColor(dark, "dark")),
      };
}

/** Where the accent is text: links below the card, on it and on the list of payments, and small buttons such as “Copy”. */
export type AccentPlace = "page" | "card" | "list" | "button";

/** A background of the accent's text, as `#rrggbb`, and the contrast with it, from 1 to 21. */
export type AccentContrast = {
  readonly place: AccentPlace;
  readonly background: string;
  readonly contrast: number;
};

/** The background of the scheme on which the color is the hardest to read. */
export function leastContrast(color: string, scheme: ColorScheme): AccentContrast {
  const [page, card, list] = backgrounds[scheme];
  const behind = { page, card, list, button: mix(card, color, tint) };
  const measured = (Object.keys(behind) as AccentPlace[]).map((place) => ({
    place,
    background: behind[place],
    contrast: contrast(color, behind[place]),
  }));
  return measured.reduce((least, one) => (one.contrast < least.contrast ? one : least));
}

export function isReadable(color: string, scheme: ColorScheme): boolean {
  return leastContrast(color, scheme).contrast >= contrastMin;
}

/** Why a color cannot be used in a scheme. */
export type AccentFault = Omit<AccentContrast, "contrast"> & {
  /** With one decimal, rounded down, so that a color that just fails never seems to pass. */
  readonly contrast: string;
  readonly nearest: string;
};

/** Null for a color that is readable on all backgrounds of the scheme. */
export function accentFault(color: string, scheme: ColorScheme): AccentFault | null {
  const { contrast: least, ...where } = leastContrast(color, scheme);
  if (least >= contrastMin) return null;
  const tenths = Math.floor(least * 10);
  return {
    ...where,
    contrast: `${Math.floor(tenths / 10)}.${tenths % 10}`,
    nearest: readableColor(color, scheme),
  };
}

/** The nearest color that is readable in the scheme: darker on light backgrounds, lighter on dark ones. */
export function readableColor(color: string, scheme: ColorScheme): string {
  const target = scheme === "light" ? "#000000" : "#ffffff";
  for (let step = 0; step < mixSteps; step += 1) {
    const mixed = mix(color, target, step / mixSteps);
    if (isReadable(mixed, scheme)) return mixed;
  }
  return target;
}

/** WCAG's contrast ratio of two colors. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG's relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** CSS's `color-mix(in srgb, ...)`. */
function mix(color: string, other: string, share: number): string {
  const others = channelsOf(other);
  const mixed = channelsOf(color).map((value, index) =>
    Math.round(value + ((others[index] ?? 0) - value) * share),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function channelsOf(color: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
