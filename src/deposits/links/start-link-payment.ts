import type { Principal } from "../../accounts/principal.ts";
import { amountText } from "../../currencies/amount-text.ts";
import type { Database } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { noValues } from "../../platform/resources/define-document.ts";
import { insertDeposit } from "../create/create.store.ts";
import { type CreateContext, createDepositBy } from "../create/create-deposit.ts";
import { newDepositDocument } from "../deposit-documents.ts";
import { lockLink, readLinkByPage } from "./payment-link.store.ts";
import { type LinkState, type OfferedLink, stateOfLink, timeLimitOf } from "./payment-link.ts";
import { amountFault, readAmount } from "./read-link-terms.ts";

export type StartContext = CreateContext & { readonly db: Database };

/** Code points, as the interface counts them. */
const labelMax = 32;

/**
 * Creates a deposit for a visitor of a link and returns the id of its payment page; null when there is no such link. `amount` is decimal text
 * in the wallet's currency, for links whose payers choose it. The link is locked while its deposits are counted and the new one is
 * inserted, so visitors who come at the same time never take more than the stock. Rejects with depositEnded if the link takes no
 * payments, with invalidValue at `/amount`, and with the errors of "Create deposit".
 */
export async function startLinkPayment(
  context: StartContext,
  pageId: string,
  amount: string | null,
): Promise<string | null> {
  const link = await readLinkByPage(context.db, pageId);
  if (link === null) return null;
  assertTakesPayments(link, context.clock.now());
  const { accountId, id } = link;
  const deposit = await createDepositBy(context, creatorOf(link), {
    input: {
      ...noValues(newDepositDocument),
      wallet: link.walletId,
      label: Array.from(link.name).slice(0, labelMax).join(""),
      description: link.description ?? link.name,
      target_amount_requested: requestedBy(link, amount, context),
      time_limit: timeLimitOf(link),
      callback_url: link.callbackUrl,
      payment_page_redirect_url: link.redirectUrl,
    },
    paymentLinkId: id,
    insert: (created) =>
      context.db.transaction(async (tx) => {
        const locked = present(await lockLink(tx, accountId, id), "a link that exists");
        assertTakesPayments(locked, created.createdAt);
        return insertDeposit(tx, created);
      }),
  });
  return deposit.paymentPageId;
}

/** The texts that payers see. */
const refusals: Readonly<Record<Exclude<LinkState, "active">, string>> = {
  inactive: "This payment link is switched off.",
  ended: "This payment link has ended.",
  sold_out: "Everything is sold, or being paid by others.",
};

function assertTakesPayments(link: OfferedLink, now: Instant): void {
  const state = stateOfLink(link, now);
  if (state !== "active") reject("depositEnded", refusals[state]);
}

/** The amount of a link whose payers choose it is the only one that is taken from the request. */
function requestedBy(
  link: OfferedLink,
  text: string | null,
  { currencies }: Pick<StartContext, "currencies">,
): string | null {
  const currency = currencies.get(link.walletCurrency);
  const shown = (units: bigint) => formatDecimal(units, currency.exp);
  if (link.amountType !== "chosen") return link.amount === null ? null : shown(link.amount);
  const units = text === null ? null : readAmount(text, currency);
  const refuse = (detail: string) => reject("invalidValue", detail, { pointer: "/amount" });
  if (units === null) return refuse(amountFault(currency));
  if (link.amountMin !== null && units < link.amountMin)
    return refuse(`The smallest amount is ${amountText(link.amountMin, currency)}.`);
  if (link.amountMax !== null && units > link.amountMax)
    return refuse(`The largest amount is ${amountText(link.amountMax, currency)}.`);
  return shown(units);
}

/** The account itself: the link was created by an Owner or Admin, and its visitors decide nothing but the amount. */
function creatorOf({ accountId, createdByCredentialId }: OfferedLink): Principal {
  return {
    accountId,
    memberId: "0",
    credentialId: createdByCredentialId,
    role: "admin",
    accountIsReady: true,
    wallets: "all",
  };
}
