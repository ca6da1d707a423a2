import { secp256k1 } from "@bitauth/libauth/build/lib/crypto/default-crypto-instances.js";
import { RpcFault, rpcCode } from "../utxo-ledger/rpc.ts";
import type { LedgerCoin, LedgerRules } from "../utxo-ledger/rules.ts";
import { hash160 } from "./addresses.ts";
import { decode } from "./codec.ts";
import { sighash } from "./digest.ts";
import { type Upgrade, upgradeAt } from "./upgrades.ts";
import { inputBytes, outputBytes, type ZcashTransaction } from "./wire.ts";

/** ZIP-317. */
export const marginalFee = 5_000n;
const graceActions = 2;
const inputLength = 150;
const outputLength = 34;
const expiryEnd = 500_000_000;
/** Every output that costs more to spend than it holds, at a third of 300 units per 1,000 bytes. */
const dustBytes = 148;
const allOutputs = 1;

/** What Zebra's verifier found, as `sendrawtransaction` answers it. */
function invalid(reason: string): RpcFault {
  return new RpcFault(rpcCode.verify, `transaction did not pass consensus validation: ${reason}`);
}

function nonStandard(reason: string): RpcFault {
  return new RpcFault(rpcCode.verify, `transaction did not pass standard validation: ${reason}`);
}

export const refusal: LedgerRules["refusal"] = (kind, detail) => {
  const { verify } = rpcCode;
  switch (kind) {
    case "conflict":
      return {
        code: verify,
        message:
          "transaction rejected because another transaction in the mempool has already spent some of its inputs",
      };
    case "alreadyPending":
      return { code: rpcCode.misc, message: "transaction already exists in mempool" };
    case "alreadyInChain":
      return { code: verify, message: "transaction is already in state" };
    case "missingInputs":
      return invalid("could not find transparent input UTXO in the best chain or mempool");
    case "immature":
      return invalid(`immature transparent coinbase spend: at depth ${detail}`);
    case "outputsExceedInputs":
      return invalid("could not calculate the transaction fee");
  }
};

/** Version, branch, expiry, form and dust. */
export function aloneCheck(upgrades: readonly Upgrade[]): LedgerRules["checkAlone"] {
  return (transaction, next) => {
    const decoded = decode(transaction);
    const { branch, expiryHeight, inputs, outputs, version } = decoded;
    if (inputs.length === 0)
      throw invalid("must have at least one input: transparent, shielded spend, or joinsplit");
    if (outputs.length === 0)
      throw invalid("must have at least one output: transparent, shielded output, or joinsplit");
    if (transaction.spends.length === 0) throw invalid("coinbase inputs MUST NOT exist in mempool");
    if (version < 4) throw invalid("transaction version number MUST be >= 4");
    const active = upgradeAt(upgrades, next.height);
    const isV5Known = active !== null && upgrades.indexOf(active) >= indexOf(upgrades, "NU5");
    if (version === 5 && !isV5Known)
      throw invalid(
        `transaction version 5 not supported by the network upgrade ${active?.name ?? "Genesis"}`,
      );
    if (version === 5 && branch !== Number.parseInt(active?.branchId ?? "", 16))
      throw invalid("transaction uses an incorrect consensus branch id");
    if (expiryHeight >= expiryEnd)
      throw invalid(`expiry ${expiryHeight} must be less than the maximum`);
    if (expiryHeight !== 0 && next.height > expiryHeight)
      throw invalid(
        `transaction must not be mined at a block ${next.height} greater than its expiry ${expiryHeight}, failing transaction ${transaction.txid}`,
      );
    const [twice] = transaction.spends.filter((one, at, all) => all.indexOf(one) !== at);
    if (twice !== undefined) throw invalid(`transparent double-spend: ${twice} is spent twice`);
    for (const output of outputs) {
      const threshold = 3 * Math.floor((100 * (outputBytes(output).length + dustBytes)) / 1000);
      if (output.units < BigInt(threshold)) throw nonStandard("transaction is dust");
    }
    if (!isFinal(decoded, next.height, next.medianTimeAt(next.height - 1)))
      throw invalid(`transaction is locked until after block height ${decoded.lockTime}`);
  };
}

function indexOf(upgrades: readonly Upgrade[], name: string): number {
  return upgrades.findIndex((upgrade) => upgrade.name === name);
}

function isFinal({ inputs, lockTime }: ZcashTransaction, height: number, time: number): boolean {
  const limit = lockTime < expiryEnd ? height : time;
  return lockTime < limit || inputs.every(({ sequence }) => sequence === 0xffffffff);
}

/** The fee of ZIP-317, then every signature. */
export function spendingCheck(upgrades: readonly Upgrade[]): LedgerRules["checkSpending"] {
  return (transaction, coins, feeUnits, next) => {
    const decoded = decode(transaction);
    if (feeUnits < marginalFee * BigInt(actionsOf(decoded)))
      throw invalid(
        "failed to verify ZIP-317 transaction rules, transaction was not inserted to mempool: Unpaid actions is higher than the limit",
      );
    const branch = Number.parseInt(upgradeAt(upgrades, next.height)?.branchId ?? "", 16);
    decoded.inputs.forEach((_, index) => {
      const reason = faultOf(decoded, coins, index, branch);
      if (reason !== null) throw invalid(`could not verify a transparent script: ${reason}`);
    });
  };
}

/** Logical actions, by the bytes of inputs and outputs. */
function actionsOf({ inputs, outputs }: ZcashTransaction): number {
  const inputTotal = inputs.reduce((sum, input) => {
    const script = input.scriptSig.length / 2;
    return sum + inputBytes(input).length + (script < 0xfd ? 1 : 3) + script + 4;
  }, 0);
  const outputTotal = outputs.reduce((sum, output) => sum + outputBytes(output).length, 0);
  return Math.max(
    graceActions,
    Math.ceil(inputTotal / inputLength),
    Math.ceil(outputTotal / outputLength),
  );
}

/** Why the input may not spend its coin; null if it may. Only outputs to public key hashes can be spent here. */
function faultOf(
  transaction: ZcashTransaction,
  coins: readonly LedgerCoin[],
  index: number,
  branch: number,
): string | null {
  const keyHash = /^76a914([0-9a-f]{40})88ac$/.exec(coins[index]?.script ?? "")?.[1];
  if (keyHash === undefined) return "this simulated node runs no such script";
  const pushed = pushesIn(Buffer.from(transaction.inputs[index]?.scriptSig ?? "", "hex"));
  const [signature, publicKey] = pushed ?? [];
  if (pushed?.length !== 2 || signature === undefined || publicKey === undefined)
    return "script verification failed";
  if (hash160(publicKey) !== keyHash) return "script verification failed";
  if (signature.at(-1) !== allOutputs) return "this simulated node knows SIGHASH_ALL only";
  const digest = sighash(transaction, coins, index, branch);
  const isValid = secp256k1.verifySignatureDERLowS(signature.subarray(0, -1), publicKey, digest);
  return isValid ? null : "script verification failed";
}

/** What a script pushes by opcodes of one byte; null for any other script. */
function pushesIn(script: Buffer): readonly Buffer[] | null {
  const pushes: Buffer[] = [];
  for (let at = 0; at < script.length; ) {
    const length = script[at] ?? 0;
    if (length === 0 || length > 75 || at + 1 + length > script.length) return null;
    pushes.push(script.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return pushes;
}
