import { type Accent, accentOf, readableColor } from "./accent-color.ts";
import type { PageSettings } from "./page-settings.ts";
import { imagePath } from "./store-image.ts";

/** What a store's pages look like. */
export type Brand = {
  /** Path of the logo on the service's origin. */
  readonly logo: string | null;
  /** Null: the page's own colors. */
  readonly accents: { readonly light: Accent; readonly dark: Accent } | null;
};

/** A color that is given for one mode only is adapted to the other. */
export function brandOf({
  logoDigest,
  accentColor,
  accentColorDark,
}: Pick<PageSettings, "logoDigest" | "accentColor" | "accentColorDark">): Brand {
  const light = accentColor ?? accentColorDark;
  const dark = accentColorDark ?? accentColor;
  return {
    logo: logoDigest === null ? null : imagePath(logoDigest),
    accents:
      light === null || dark === null
        ? null
        : {
            light: accentOf(readableColor(light, "light")),
            dark: accentOf(readableColor(dark, "dark")),
          },
  };
}
