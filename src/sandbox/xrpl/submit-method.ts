import type { Method } from "./node.ts";
import { printSubmitted } from "./print-transaction.ts";
import { resultCode, resultText } from "./results.ts";
import { RpcError } from "./rpc-error.ts";
import { accountIn } from "./state.ts";
import { isSigned, readTransaction } from "./transaction.ts";

/** Offers a signed transaction (`tx_blob`) to the open ledger. The node holds no keys and signs nothing. */
export const submit: Method = async ({ node: { ledger }, params, version }) => {
  const { tx_blob } = params;
  if (tx_blob === undefined)
    throw new RpcError("notSupported", "Signing is not supported by this server.");
  const transaction = readTransaction(tx_blob);
  if (!isSigned(transaction))
    throw new RpcError("invalidTransaction", "fails local checks: Invalid signature.");
  const { applied, kept, queued, result } = await ledger.submit(transaction);
  const { settings, view } = ledger.open();
  const next = accountIn(view, transaction.json.Account)?.Sequence ?? 0;
  return {
    accepted: kept,
    account_sequence_available: next,
    account_sequence_next: next,
    applied,
    broadcast: applied,
    engine_result: result,
    engine_result_code: resultCode(result),
    engine_result_message: resultText(result),
    kept,
    open_ledger_cost: String(settings.openLedgerFee),
    queued,
    tx_blob: transaction.blob,
    tx_json: printSubmitted(transaction, version),
    validated_ledger_index: ledger.newest().index,
  };
};
