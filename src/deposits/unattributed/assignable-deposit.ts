import { assertOperator } from "../../accounts/operator.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { ListReading } from "../../currencies/address-filter.ts";
import type { Executor } from "../../platform/db/database.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import { exactText } from "../../platform/resources/filters.ts";
import {
  decimal,
  described,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { depositStates } from "../deposit-state.ts";
import { depositStatuses } from "../deposit-status.ts";
import {
  type AssignableDeposit,
  type AssignableText,
  findAssignable,
} from "./assignable-deposit.store.ts";
import { readReceiptRow } from "./receipt-list.store.ts";

/** A deposit to which an operator can assign an unattributed payment. */
export const assignableDepositResource = defineResource({
  type: "assignable-deposit",
  description:
    "A deposit of any account that is paid at the account and in the currency of an unattributed payment. The id is the deposit's.",
  attributes: {
    account_id: text,
    account_name: text,
    status: oneOf(depositStatuses),
    state: oneOf(depositStates),
    label: nullable(text),
    tracking_id: nullable(text),
    tag: described(text, "The tag that the payer should have named."),
    source_amount_requested: described(
      nullable(decimal),
      "Requested amount, in the payment currency, as of its creation.",
    ),
    target_amount_requested: described(
      nullable(decimal),
      "Requested amount, in the wallet's currency.",
    ),
    target_paid: described(decimal, "Confirmed payments, in the wallet's currency."),
    expires_at: nullable(timestamp),
    created_at: timestamp,
  },
  relationships: {
    currency: { resource: "currency" },
    wallet_currency: { resource: "currency" },
  },
  filters: { text: exactText(256) },
});

type Context = ListReading & { readonly db: Executor };

/**
 * The deposits that the text finds for a receipt, newest first: by the deposit's id, the start of its tracking id, its payment
 * link, its tag, or an address that contains the tag. At most 20. Null: there is no such receipt. Rejects `permissionDenied` unless for
 * operators.
 */
export async function listAssignable(
  context: Context,
  principal: Principal,
  id: string,
  searched: string,
): Promise<readonly AssignableDeposit[] | null> {
  const { db } = context;
  await assertOperator(db, principal);
  const shown = await readReceiptRow(db, id);
  return shown === null ? null : findAssignable(db, shown.receipt, readText(context, searched));
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

function readText({ readAddresses }: Context, searched: string): AssignableText {
  const prefix = searched.trim().toLowerCase();
  const number = prefix.replace(/^#/, "");
  const tags = readAddresses(searched.trim()).flatMap(({ tag }) => tag ?? []);
  return {
    prefix,
    id: isObjectId(number) ? number : null,
    page: uuid.exec(prefix)?.[0] ?? null,
    tags: [searched.trim(), ...tags],
  };
}

/** A deposit as operators recognize it; nothing of it that assigning does not need. */
export function renderAssignable(
  deposit: AssignableDeposit,
  { currencies }: Pick<Context, "currencies">,
): ResourceOf<typeof assignableDepositResource> {
  const amount = (units: bigint, currency: CurrencyId): string =>
    formatDecimal(units, currencies.get(currency).exp);
  const { currency, walletCurrency, requestedUnits, sourceRequestedUnits } = deposit;
  return {
    type: "assignable-deposit",
    id: deposit.id,
    attributes: {
      account_id: deposit.accountId,
      account_name: deposit.accountName,
      status: deposit.status,
      state: deposit.state,
      label: deposit.label,
      tracking_id: deposit.trackingId,
      tag: deposit.tag,
      source_amount_requested:
        sourceRequestedUnits === null ? null : amount(sourceRequestedUnits, currency),
      target_amount_requested:
        requestedUnits === null ? null : amount(requestedUnits, walletCurrency),
      target_paid: amount(deposit.paidUnits, walletCurrency),
      expires_at: formatTimestampOrNull(deposit.expiresAt),
      created_at: formatTimestamp(deposit.createdAt),
    },
    relationships: {
      currency: toOne("currency", currency),
      wallet_currency: toOne("currency", walletCurrency),
    },
  };
}
