import { walletType } from "../../accounts/wallets/wallet.ts";
import { shortAmount } from "../../currencies/amount-text.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { type Deposit, depositColumns, depositFromRow } from "../deposit.ts";

type Settings = {
  readonly shop_name: string | null;
  readonly receipt_note: string | null;
  readonly shows_order_reference: boolean;
  readonly paid_at: Instant;
};

const read = statement<Row & Settings>(
  "receipt.read",
  `select ${depositColumns}, a.payment_page_shop_name as shop_name, a.receipt_note, a.shows_order_reference,
     coalesce((select max(t.confirmed_at) from transfer t where t.account_id = d.account_id and t.deposit_id = d.id),
              d.updated_at) as paid_at
   from deposit d join account a on a.id = d.account_id where d.account_id = $1 and d.id = $2`,
);

/** What the receipt of a paid deposit states. */
export async function readReceipt(
  db: Executor,
  { currencies, baseUrl }: { readonly currencies: CurrencyRegistry; readonly baseUrl: string },
  accountId: string,
  depositId: string,
) {
  const [row] = await db.query(read, [accountId, depositId]);
  const found = present(row, `deposit ${depositId} of a receipt`);
  const deposit = depositFromRow(found);
  const { alpha, exp } = currencies.get(deposit.walletCurrency);
  const isShop = deposit.walletType === walletType.merchant;
  return {
    amount: shortAmount(formatDecimal(deposit.sums.targetPaid, exp)),
    code: alpha,
    shop: found.shop_name,
    order: isShop && found.shows_order_reference ? deposit.trackingId : null,
    description: deposit.description,
    note: found.receipt_note,
    page: `${baseUrl}/pay/${deposit.paymentPageId}`,
    paidAt: `${formatTimestamp(found.paid_at).slice(0, 16).replace("T", " ")} UTC`,
  };
}

const count = statement<{ readonly asked: string; readonly has: boolean }>(
  "receipt.count",
  `select (select count(*) from receipt_request where account_id = $1 and deposit_id = $2)
        + (select count(*) from email where account_id = $1 and kind = 'receipt' and content ->> 'deposit_id' = $2::text) as asked,
     exists (select from receipt_request where account_id = $1 and deposit_id = $2 and email = $3) as has`,
);

/** How many receipts were asked for at a deposit, and whether this address waits for one. */
export async function countReceipts(
  tx: Executor,
  { accountId, id }: Pick<Deposit, "accountId" | "id">,
  email: string,
): Promise<{ readonly asked: number; readonly isWaiting: boolean }> {
  const [row] = await tx.query(count, [accountId, id, email]);
  return { asked: Number(row?.asked), isWaiting: row?.has === true };
}

const insert = statement(
  "receipt.request",
  `insert into receipt_request (account_id, deposit_id, email, language, created_at) values ($1, $2, $3, $4, $5)
   on conflict do nothing`,
);

/** Remembers who gets a receipt once the deposit is paid. */
export async function storeReceiptRequest(
  tx: Executor,
  { accountId, id }: Pick<Deposit, "accountId" | "id">,
  { email, language }: { readonly email: string; readonly language: string },
  now: Instant,
): Promise<void> {
  await tx.query(insert, [accountId, id, email, language, formatTimestamp(now)]);
}
