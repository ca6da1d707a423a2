import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { brandOf } from "../storefront/brand.ts";
import { imagePath } from "../storefront/store-image.ts";
import { readStoreSettings } from "../storefront/store-settings.store.ts";
import type { LinkPageState } from "./link-page-state.ts";
import { readLinkByPage } from "./payment-link.store.ts";
import { stateOfLink } from "./payment-link.ts";

export type LinkPageContext = {
  readonly db: Executor;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  readonly isSandbox: boolean;
};

/** What a link's public page shows, and who may embed it; null when there is no such link. */
export async function readLinkPage(
  { db, clock, currencies, isSandbox }: LinkPageContext,
  pageId: string,
): Promise<{ readonly state: LinkPageState; readonly frameAncestors: readonly string[] } | null> {
  const link = await readLinkByPage(db, pageId);
  if (link === null) return null;
  const { page } = present(await readStoreSettings(db, link.accountId), "the link's account");
  const { alpha, exp } = currencies.get(link.walletCurrency);
  const amount = (units: bigint | null) => (units === null ? null : formatDecimal(units, exp));
  const state: LinkPageState = {
    id: link.pageId,
    shop: page.shopName,
    brand: brandOf(page),
    helpEmail: page.helpEmail,
    isSandbox,
    name: link.name,
    description: link.description,
    image: link.imageDigest === null ? null : imagePath(link.imageDigest),
    currency: { code: alpha, precision: exp },
    amountType: link.amountType,
    amount: amount(link.amount),
    amountMin: amount(link.amountMin),
    amountMax: amount(link.amountMax),
    state: stateOfLink(link, clock.now()),
    left: link.stock === null ? null : Math.max(0, link.stock - link.taken),
  };
  return { state, frameAncestors: page.frameAncestors };
}
