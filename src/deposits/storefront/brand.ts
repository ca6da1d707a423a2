import { type Accents, accentsOf } from "./accent-color.ts";
import type { PageSettings } from "./page-settings.ts";
import { imagePath } from "./store-image.ts";

/** What a store's pages look like. */
export type Brand = {
  /** Path of the logo on the service's origin. */
  readonly logo: string | null;
  /** Null: the page's own colors. */
  readonly accents: Accents | null;
};

/** What a store's settings make its pages look like. */
export function brandOf({
  logoDigest,
  accentColor,
  accentColorDark,
}: Pick<PageSettings, "logoDigest" | "accentColor" | "accentColorDark">): Brand {
  return {
    logo: logoDigest === null ? null : imagePath(logoDigest),
    accents: accentsOf(accentColor, accentColorDark),
  };
}
