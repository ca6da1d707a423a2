import { assert } from "../../platform/kernel/assert.ts";
import type { Draft, DraftOutcome, DraftRequest } from "../paying-port.ts";
import { readDataFee } from "./data-fee.ts";
import { type DraftedTransaction, feeOf, writeBody } from "./draft-body.ts";
import { draftOf, type EvmDrafting, lackOfCoin } from "./draft-payment.ts";
import { type Call, codeAt, gasFor, latestFeeHeader } from "./fee-questions.ts";
import { payoutDelegate, payoutDelegateDeployment } from "./payout-delegate.ts";
import { priceDraft } from "./price-draft.ts";
import { coinHeld } from "./probe-payment.ts";
import { nonceClaim } from "./senders.ts";
import { delegateFor, deployCall } from "./sweep-delegate.ts";
import { transactionGas } from "./sweep-gas.ts";

/** An authorization, and what the delegated account's code adds to the call of itself. */
const delegationGas = 30_000n;

/**
 * The next transaction by which the account becomes able to pay several receivers in one: its own delegation to the contract, which it
 * deploys in the same transaction if need be (EIP-7702, two nonces). Before that, the delegate of sweeps has to be deployed, since its
 * constructor rejects an account with code as destination.
 */
export async function draftSetUp(
  drafting: EvmDrafting,
  { from, nonce }: { readonly from: string; readonly nonce: number },
  { feeTarget, feeCeiling }: Pick<DraftRequest, "feeTarget" | "feeCeiling">,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const { node, record, network, market, coin, gasAccount } = drafting;
  assert(gasAccount !== null && record.paysTogether, `no batches on ${record.chain}`);
  const [header, sweepCode, ownCode, payoutCode, coinUnits] = await node.askAll(
    [
      latestFeeHeader,
      codeAt(delegateFor(from, gasAccount)),
      codeAt(from),
      codeAt(payoutDelegate),
      coinHeld(from),
    ],
    signal,
  );
  const levels = await market.levelsAfter(header, signal);
  if (levels.kind === "legacy")
    return { kind: "impossible", reason: `${record.chain} has no base fee` };
  const deploysSweeps = sweepCode === "0x" && ownCode === "0x";
  const call: Call = deploysSweeps
    ? deployCall(from, gasAccount)
    : payoutCode === "0x"
      ? payoutDelegateDeployment
      : { to: from, value: 0n, data: "0x" };
  const estimate = BigInt(await node.ask(gasFor(from, call), signal));
  const gas = (estimate * 6n) / 5n + (deploysSweeps ? 0n : delegationGas);
  const dataFee = await readDataFee(node, record, call, gas, signal);
  const price = priceDraft({
    levels,
    gas,
    dataFee,
    feeTarget,
    feeCeiling,
    nodeFeeMost: record.nodeFeeMost,
    replaces: null,
  });
  if (price.kind === "tooExpensive") return price;
  const transaction: DraftedTransaction = {
    type: "eip1559",
    chainId: network.chainId,
    from,
    nonce,
    call,
    gas,
    dataFee,
    fees: price.fees,
  };
  const draft = deploysSweeps ? draftOf(transaction) : delegationOf(transaction);
  return lackOfCoin(coin, transaction, { coinUnits }) ?? { kind: "draft", draft };
}

/** The same transaction as a draft of the account's own delegation. */
export function delegationOf(transaction: DraftedTransaction): Draft {
  const { from, nonce } = transaction;
  assert(transaction.type === "eip1559" && transaction.gas > transactionGas, "a delegation");
  return {
    body: { ...writeBody(transaction), type: "selfDelegation", delegate: payoutDelegate },
    // The transaction has used its own nonce when the authorization with the next one is checked.
    claims: [nonceClaim(from, nonce), nonceClaim(from, nonce + 1)],
    feeUnits: feeOf(transaction),
    validity: null,
  };
}
