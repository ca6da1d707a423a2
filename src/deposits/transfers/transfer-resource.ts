import type { Currency } from "../../currencies/currency.ts";
import { type FiatPrice, worthInFiat } from "../../currencies/rates/fiat-price.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { multiplyByRate } from "../../platform/kernel/rate.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { attributeOf, rendererOf, schemasOf } from "../../platform/resources/attributes.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import {
  decimal,
  described,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import {
  type AnyTransfer,
  type HoldReason,
  isPayoutTransfer,
  operationTypes,
  riskStatuses,
  type TransferWithTip,
  transferStatus,
  transferStatuses,
  unrefundedPart,
} from "./transfer.ts";
import { transferFilters, transferSort } from "./transfer-filters.ts";

type Shown = {
  readonly transfer: AnyTransfer;
  /** Null for an unlisted asset; its amount is in the token's smallest units. */
  readonly currency: Currency | null;
  readonly currencies: CurrencyRegistry;
  readonly tipHeight: number | null;
};

/** The same with the tracking ID of its deposit or payout. */
type Listed = Shown & Pick<TransferWithTip, "trackingId">;

const attribute = attributeOf<Shown>();
const listedAttribute = attributeOf<Listed>();
const amount = (units: (transfer: AnyTransfer) => bigint) =>
  attribute(decimal, ({ transfer, currency }) =>
    formatDecimal(units(transfer), currency?.exp ?? 0),
  );

const transferAttributes = {
  op_id: attribute(integer, ({ transfer }) =>
    Number(isPayoutTransfer(transfer) ? transfer.payoutId : transfer.depositId),
  ),
  op_type: attribute(oneOf(operationTypes), ({ transfer }) => transfer.opType),
  amount: amount((transfer) => transfer.units),
  amount_cleared: amount(clearedUnitsOf),
  commission: amount((transfer) =>
    transfer.disposition === "refunded" ? 0n : transfer.commissionUnits,
  ),
  /** In the precision of the currency that is charged: a token's parent coin. */
  fee: attribute(decimal, ({ transfer, currency, currencies }) =>
    feeText(transfer, currency, currencies),
  ),
  txid: attribute(nullable(text), ({ transfer }) => transfer.txid),
  status: attribute(oneOf(transferStatuses), ({ transfer }) => transfer.status),
  message: attribute(nullable(text), ({ transfer }) => messageOf(transfer)),
  user_message: attribute(nullable(text), ({ transfer }) => transfer.userMessage),
  created_at: attribute(timestamp, ({ transfer }) => formatTimestamp(transfer.createdAt)),
  updated_at: attribute(timestamp, ({ transfer }) => formatTimestamp(transfer.updatedAt)),
  confirmations: attribute(integer, ({ transfer, tipHeight }) =>
    confirmationsOf(transfer, tipHeight),
  ),
  risk: attribute(nullable(integer), ({ transfer }) => transfer.risk),
  risk_status: attribute(oneOf(riskStatuses), ({ transfer }) => transfer.riskStatus),
};

/** What `/transfer/` shows in addition; callbacks keep to the interface's object. */
const listedAttributes = {
  tracking_id: listedAttribute(
    described(nullable(text), "Of the deposit or payout."),
    ({ trackingId }) => trackingId,
  ),
  fiat_currency: listedAttribute(
    described(nullable(text), "Currency ID of fiat_amount; see store-settings."),
    ({ transfer }) => transfer.fiat?.currency ?? null,
  ),
  fiat_rate: listedAttribute(
    described(
      nullable(decimal),
      "Price of one unit of the transfer's currency at that time. Later prices do not change it.",
    ),
    ({ transfer: { fiat } }) =>
      fiat === null ? null : formatDecimal(fiat.rate.units, fiat.rate.exp),
  ),
  fiat_amount: listedAttribute(
    described(
      nullable(decimal),
      "What amount was worth when the payment was priced, or the account committed to the payout; rounded down. Null: no price was known.",
    ),
    ({ transfer: { fiat, units }, currency, currencies }) =>
      fiat === null || currency === null
        ? null
        : formatDecimal(
            worthInFiat(units, currency, fiat, currencies),
            currencies.get(fiat.currency).exp,
          ),
  ),
  fee_currency: listedAttribute(
    described(nullable(text), "Currency ID of fee; null for deposits, which are charged none."),
    ({ transfer }) => (isPayoutTransfer(transfer) ? transfer.fee.currency : null),
  ),
  fee_fiat_currency: listedAttribute(
    described(nullable(text), "Currency ID of fee_fiat_amount."),
    ({ transfer }) => feePrice(transfer)?.currency ?? null,
  ),
  fee_fiat_amount: listedAttribute(
    described(
      nullable(decimal),
      "What fee was worth at that time, with eight digits: it is often worth less than a cent. In fee_fiat_currency. Null: no price was known.",
    ),
    ({ transfer, currencies }) => feeInFiat(transfer, currencies),
  ),
};

const feeFiatDigits = 8;

/** The price of a payout's network fee; null if none was known. */
function feePrice(transfer: AnyTransfer): FiatPrice | null {
  if (!isPayoutTransfer(transfer)) return null;
  return transfer.fee.currency === transfer.currency ? transfer.fiat : transfer.feeFiat;
}

function feeInFiat(transfer: AnyTransfer, currencies: CurrencyRegistry): string | null {
  const price = feePrice(transfer);
  if (price === null || !isPayoutTransfer(transfer)) return null;
  const { units, currency } = transfer.fee;
  const { exp } = currencies.get(currency);
  return formatDecimal(
    multiplyByRate(units, exp, price.rate, feeFiatDigits, "down"),
    feeFiatDigits,
  );
}

/** The Transfer object of the interface, "Callback objects". */
export const transferCallbackDefinition = defineResource({
  type: "transfer",
  description: "A payment received at a deposit's address, or the progress of a payout.",
  attributes: schemasOf(transferAttributes),
  relationships: {
    currency: { resource: "currency", nullable: true },
    wallet: { resource: "wallet" },
  },
  filters: transferFilters,
  sortable: transferSort,
  defaultSort: "-created_at",
});

/** The same with its tracking ID and its values in the account's fiat currency. */
export const transferDefinition = defineResource({
  ...transferCallbackDefinition,
  attributes: { ...transferCallbackDefinition.attributes, ...schemasOf(listedAttributes) },
});

const renderTransfer = rendererOf<Shown, typeof transferAttributes>(transferAttributes);
const renderListed = rendererOf<Listed, typeof listedAttributes>(listedAttributes);

/** A transfer as `/transfer/` shows it: the interface's object, its tracking ID, and its fiat values. */
export function listedTransferResource(
  { transfer, tipHeight, trackingId }: TransferWithTip,
  currencies: CurrencyRegistry,
) {
  const resource = transferResource(transfer, currencies, tipHeight);
  const currency = transfer.currency === null ? null : currencies.get(transfer.currency);
  const listed = renderListed({ transfer, currency, currencies, tipHeight, trackingId });
  return { ...resource, attributes: { ...resource.attributes, ...listed } };
}

/** A transfer as the `included` of callbacks contains it. Confirmations are counted from the best chain's tip. */
export function transferResource(
  transfer: AnyTransfer,
  currencies: CurrencyRegistry,
  tipHeight: number | null,
) {
  const currency = transfer.currency === null ? null : currencies.get(transfer.currency);
  return {
    type: "transfer",
    id: transfer.id,
    attributes: renderTransfer({ transfer, currency, currencies, tipHeight }),
    relationships: {
      currency: toOne("currency", transfer.currency),
      wallet: toOne("wallet", transfer.walletId),
    },
  } as const;
}

function clearedUnitsOf(transfer: AnyTransfer): bigint {
  if (isPayoutTransfer(transfer)) return transfer.clearedUnits;
  const isCleared = !["dust", "misplaced", "refunded"].includes(transfer.disposition);
  return isCleared ? unrefundedPart(transfer).units - transfer.commissionUnits : 0n;
}

function feeText(
  transfer: AnyTransfer,
  currency: Currency | null,
  currencies: CurrencyRegistry,
): string {
  return isPayoutTransfer(transfer)
    ? formatDecimal(transfer.fee.units, currencies.get(transfer.fee.currency).exp)
    : formatDecimal(0n, currency?.exp ?? 0);
}

/** Blocks from the transfer's own to the tip, inclusive; 0 outside a block. */
function confirmationsOf(transfer: AnyTransfer, tipHeight: number | null): number {
  if (transfer.block === null || tipHeight === null) return 0;
  return Math.max(tipHeight - transfer.block.height + 1, 0);
}

const holdTexts: Readonly<Record<HoldReason, string>> = {
  overpaid: "overpaid",
  late: "paid late",
  second_payment: "second payment",
  partial: "underpaid",
  cancelled: "paid after cancellation",
  screening: "under review",
};

function messageOf(transfer: AnyTransfer): string | null {
  if (transfer.message !== null || isPayoutTransfer(transfer)) return transfer.message;
  if (transfer.status === transferStatus.cancelled)
    return "Replaced by another transaction, or dropped by the network";
  if (transfer.disposition === "misplaced") {
    return transfer.assetLocator === null
      ? "Received in a different currency than the deposit's"
      : `Token ${transfer.assetLocator} is not supported`;
  }
  if (transfer.disposition !== "unresolved") return null;
  return transfer.reason === null ? "On hold" : `On hold: ${holdTexts[transfer.reason]}`;
}
