import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import { imagePath } from "./store-image.ts";
import { readStoreSettings } from "./store-settings.store.ts";

/** Name and logo of a store, as its payment pages show them. */
export type Shop = {
  readonly name: string | null;
  /** Path of the image on the service's origin. */
  readonly logo: string | null;
};

/** The account must exist. */
export async function readShop(db: Executor, accountId: string): Promise<Shop> {
  const settings = present(await readStoreSettings(db, accountId), "an account's settings");
  const { shopName: name, logoDigest } = settings.page;
  return { name, logo: logoDigest === null ? null : imagePath(logoDigest) };
}
