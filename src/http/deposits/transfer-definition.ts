import { operationType, riskStatus, transferStatus } from "../../deposits/transfers/transfer.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import {
  decimalNumber,
  exactText,
  timeBound,
  wholeNumber,
} from "../../platform/resources/filters.ts";
import {
  decimal,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";

const statuses = [
  { value: transferStatus.cancelled, name: "Cancelled" },
  { value: transferStatus.blocked, name: "Blocked" },
  { value: transferStatus.failed, name: "Failed" },
  { value: transferStatus.created, name: "Created" },
  { value: transferStatus.unconfirmed, name: "Unconfirmed" },
  { value: transferStatus.confirmed, name: "Confirmed" },
] as const;

const operations = [
  { value: operationType.deposit, name: "Deposit" },
  { value: operationType.payout, name: "Payout" },
  { value: operationType.transportFee, name: "Token transport fee" },
  { value: operationType.commission, name: "Commission" },
  { value: operationType.topUp, name: "Top-up" },
  { value: operationType.dust, name: "Dust" },
  { value: operationType.walletActivation, name: "Wallet activation" },
  { value: operationType.algorandActivation, name: "Algorand address activation" },
] as const;

const riskStatuses = [
  { value: riskStatus.green, name: "Checked, green" },
  { value: riskStatus.queued, name: "Queued" },
  { value: riskStatus.red, name: "Checked, red" },
  { value: riskStatus.notAvailable, name: "Not available" },
] as const;

/** The Transfer object of the interface, "Callback objects". */
export const transferDefinition = defineResource({
  type: "transfer",
  description:
    "Value that moved to a deposit's address as the chain delivered it, or a payout's progress.",
  attributes: {
    op_id: integer,
    op_type: oneOf(operations),
    amount: decimal,
    amount_cleared: decimal,
    commission: decimal,
    fee: decimal,
    txid: nullable(text),
    status: oneOf(statuses),
    message: nullable(text),
    user_message: nullable(text),
    created_at: timestamp,
    updated_at: timestamp,
    confirmations: integer,
    risk: nullable(integer),
    risk_status: oneOf(riskStatuses),
  },
  relationships: {
    currency: { resource: "currency", nullable: true },
    wallet: { resource: "wallet" },
  },
  filters: {
    id: wholeNumber(18),
    currency: wholeNumber(8),
    wallet: exactText(64),
    op_id: wholeNumber(18),
    op_type: { lookup: "exact", choices: operations },
    status: { lookup: "exact", choices: statuses },
    txid: exactText(128),
    risk_status: { lookup: "exact", choices: riskStatuses },
    amount: decimalNumber(64),
    commission: decimalNumber(64),
    created_at_from: timeBound(),
    created_at_to: timeBound(),
    updated_at_from: timeBound(),
    updated_at_to: timeBound(),
  },
  sortable: ["created_at", "updated_at", "status"],
  defaultSort: "-created_at",
});
