import { administratorsOnly } from "../../accounts/administrators-only.ts";
import { assertMayView } from "../../accounts/assert-may-view.ts";
import type { AuditSummary } from "../../accounts/audit/audit-entry.ts";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { mayView, type Principal, visibleWallets } from "../../accounts/principal.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { Rejected, rejection } from "../../platform/kernel/rejection.ts";
import type { CreationFacts } from "../create/creation-facts.store.ts";
import { removeUnusedImage, saveStoreImage } from "../storefront/store-image.store.ts";
import {
  insertLink,
  listLinkRows,
  lockLink,
  readLinkRow,
  updateLink,
} from "./payment-link.store.ts";
import type { PaymentLink } from "./payment-link.ts";
import { readTerms, renderTerms, type TermsContext, type WireTerms } from "./read-link-terms.ts";

export type LinkContext = TermsContext & {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly currencies: CurrencyRegistry;
  /** Null when the account has no such wallet. */
  readonly findWallet: (key: {
    readonly accountId: string;
    readonly walletId: string;
    readonly currency: null;
  }) => Promise<Pick<CreationFacts, "walletType" | "walletCurrency"> | null>;
};

/** Undefined: unchanged, null: cleared. */
export type TermsPatch = {
  readonly [Name in keyof WireTerms]?: WireTerms[Name] | null | undefined;
};

/** Rejects `permissionDenied` unless the caller is Owner or Admin. */
export const assertLinkAdministrator = administratorsOnly(
  "Only Owners and Admins can view and change payment links.",
);

/** One page of the links into wallets that the caller may view. Rejects with permissionDenied. */
export function listPaymentLinks(
  db: Executor,
  principal: Principal,
  query: ListQuery,
): Promise<Page<PaymentLink>> {
  assertLinkAdministrator(principal);
  return listLinkRows(db, principal.accountId, visibleWallets(principal), query);
}

/** Null when the account has no such link. Rejects with permissionDenied and noPermissionToView. */
export async function findPaymentLink(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<PaymentLink | null> {
  assertLinkAdministrator(principal);
  const link = await readLinkRow(db, principal.accountId, id);
  if (link !== null) assertMayView(principal, link, "payment link");
  return link;
}

/** Creates a link into a Merchant wallet. Rejects with permissionDenied, and with invalidValue for every fault. */
export async function createPaymentLink(
  context: LinkContext,
  principal: Principal,
  walletId: string,
  patch: TermsPatch,
): Promise<PaymentLink> {
  assertLinkAdministrator(principal);
  const { accountId, credentialId } = principal;
  const wallet = { id: walletId, currency: await findCurrency(context, principal, walletId) };
  const { terms, image, faults } = readTerms(patched(unset, patch), wallet, null, context);
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    if (image !== null) await saveStoreImage(tx, accountId, image, now);
    const id = await insertLink(tx, {
      ...terms,
      accountId,
      pageId: context.random.uuid(),
      createdByCredentialId: credentialId,
      createdAt: now,
      updatedAt: now,
    });
    await recordAudit(tx, {
      by: principal,
      action: "payment_link.created",
      at: now,
      object: { type: "payment-link", id },
      summary: { name: terms.name, wallet: walletId },
    });
    return present(await readLinkRow(tx, accountId, id), "the new link");
  });
}

/**
 * Changes the given terms; deposits that exist keep theirs. Null when the account has no such link. Rejects with permissionDenied and
 * noPermissionToView, and with invalidValue for every fault.
 */
export async function changePaymentLink(
  context: LinkContext,
  principal: Principal,
  id: string,
  patch: TermsPatch,
): Promise<PaymentLink | null> {
  assertLinkAdministrator(principal);
  const { accountId } = principal;
  const isFound = await context.db.transaction(async (tx) => {
    const link = await lockLink(tx, accountId, id);
    if (link === null) return false;
    assertMayView(principal, link, "payment link");
    const currency = context.currencies.get(link.walletCurrency);
    const before = renderTerms(link, currency, context.baseUrl);
    const wallet = { id: link.walletId, currency };
    const reading = readTerms(patched(before, patch), wallet, link.imageDigest, context);
    const [first, ...others] = reading.faults;
    if (first !== undefined) throw new Rejected(first, ...others);
    const { terms, image } = reading;
    const now = context.clock.now();
    if (image !== null) await saveStoreImage(tx, accountId, image, now);
    await updateLink(tx, link, terms, now);
    if (link.imageDigest !== null && link.imageDigest !== terms.imageDigest)
      await removeUnusedImage(tx, accountId, link.imageDigest);
    const summary = differences(before, renderTerms(terms, currency, context.baseUrl));
    if (Object.keys(summary).length > 0) {
      await recordAudit(tx, {
        by: principal,
        action: "payment_link.changed",
        at: now,
        object: { type: "payment-link", id },
        summary,
      });
    }
    return true;
  });
  // After the transaction: no visitor waits while all deposits are counted.
  return isFound ? readLinkRow(context.db, accountId, id) : null;
}

/** What a member is that was not given, or was cleared. */
const unset: WireTerms = {
  name: null,
  description: null,
  image: null,
  amount_type: "fixed",
  amount: null,
  amount_min: null,
  amount_max: null,
  stock: null,
  ends_at: null,
  is_active: true,
  time_limit: null,
  callback_url: null,
  payment_page_redirect_url: null,
};

function patched(before: WireTerms, patch: TermsPatch): WireTerms {
  const given = Object.entries(patch).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value ?? unset[name as keyof WireTerms]] as const],
  );
  return Object.assign({ ...before }, Object.fromEntries(given));
}

function differences(before: WireTerms, after: WireTerms): AuditSummary {
  const shown = (value: WireTerms[keyof WireTerms]) =>
    typeof value === "number" ? String(value) : value;
  const names = Object.keys(after) as (keyof WireTerms)[];
  return Object.fromEntries(
    names.flatMap((name) =>
      before[name] === after[name]
        ? []
        : [
            [name, shown(after[name])],
            [`${name}_before`, shown(before[name])],
          ],
    ),
  );
}

/** Missing wallets, wallets that the caller may not view and wallets of another type get the same pointer. */
async function findCurrency(
  { findWallet, currencies }: LinkContext,
  principal: Principal,
  walletId: string,
): Promise<Currency> {
  const pointer = { pointer: "/data/relationships/wallet" };
  const { accountId } = principal;
  const wallet =
    isObjectId(walletId) && mayView(principal, walletId)
      ? await findWallet({ accountId, walletId, currency: null })
      : null;
  if (wallet === null)
    throw new Rejected(rejection("invalidValue", "There is no such wallet.", pointer));
  if (wallet.walletType !== walletType.merchant)
    throw new Rejected(
      rejection("invalidValue", "Payment links are for Merchant wallets.", pointer),
    );
  return currencies.get(wallet.walletCurrency);
}
