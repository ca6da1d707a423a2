import { createVirtualMachineBCH2023 } from "@bitauth/libauth/build/lib/vm/instruction-sets/bch/2023/bch-2023-vm.js";
import {
  isArbitraryDataOutput,
  isDustOutput,
  isPushOnly,
  isStandardOutputBytecode2023,
} from "@bitauth/libauth/build/lib/vm/instruction-sets/common/instruction-sets-utils.js";
import { RpcFault, rpcCode } from "../utxo-ledger/rpc.ts";
import type {
  LedgerCoin,
  LedgerRules,
  LedgerTransaction,
  NextBlock,
  RefusalKind,
} from "../utxo-ledger/rules.ts";
import { decode, outputOf } from "./codec.ts";

/** Units per 1,000 bytes (`-minrelaytxfee`). */
export const relayFee = 1000n;
/** `maxTxFee`, above which `sendrawtransaction` refuses unless told otherwise. */
const highFee = 10_000_000n;
const standardSizeMax = 100_000;
const unlockingSizeMax = 1650;
const dataSizeMax = 223;
const finalSequence = 0xffffffff;
/** A lock time below is a height, from here on a time. */
const timeLocksFrom = 500_000_000;

/** `REJECT_*` of BCHN's `consensus/validation.h`, which its texts end with. */
const reject = { invalid: 16, duplicate: 18, nonstandard: 64, fee: 66, high: 256 } as const;

function refused(reason: string, code: number): RpcFault {
  return new RpcFault(rpcCode.rejected, `${reason} (code ${code})`);
}

export const refusal: LedgerRules["refusal"] = (kind: RefusalKind, detail) => {
  const rejected = (reason: string, code: number): { code: number; message: string } => ({
    code: rpcCode.rejected,
    message: `${reason} (code ${code})`,
  });
  switch (kind) {
    case "conflict":
      return rejected("txn-mempool-conflict", reject.duplicate);
    case "alreadyPending":
      return rejected("txn-already-in-mempool", reject.duplicate);
    case "alreadyInChain":
      return { code: rpcCode.alreadyInChain, message: "transaction already in block chain" };
    case "missingInputs":
      return { code: rpcCode.verify, message: "Missing inputs" };
    case "immature":
      return rejected(
        `bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth ${detail}`,
        reject.invalid,
      );
    case "outputsExceedInputs":
      return rejected("bad-txns-in-belowout", reject.invalid);
  }
};

/** In the order of BCHN's `AcceptToMemoryPoolWorker`: form, standardness, finality. */
export function checkAlone(transaction: LedgerTransaction, next: NextBlock): void {
  const { inputs, locktime, outputs, version } = decode(transaction);
  const size = transaction.raw.length / 2;
  if (inputs.length === 0) throw refused("bad-txns-vin-empty", reject.invalid);
  if (outputs.length === 0) throw refused("bad-txns-vout-empty", reject.invalid);
  if (transaction.spends.length === 0) throw refused("bad-tx-coinbase", reject.invalid);
  if (new Set(transaction.spends).size !== transaction.spends.length)
    throw refused("bad-txns-inputs-duplicate", reject.invalid);
  if (version < 1 || version > 2) throw refused("version", reject.nonstandard);
  if (size > standardSizeMax) throw refused("tx-size", reject.nonstandard);
  for (const { unlockingBytecode } of inputs) {
    if (unlockingBytecode.length > unlockingSizeMax)
      throw refused("scriptsig-size", reject.nonstandard);
    if (!isPushOnly(unlockingBytecode)) throw refused("scriptsig-not-pushonly", reject.nonstandard);
  }
  let dataSize = 0;
  for (const output of outputs) {
    const { lockingBytecode } = output;
    if (isArbitraryDataOutput(lockingBytecode)) dataSize += lockingBytecode.length;
    else if (!isStandardOutputBytecode2023(lockingBytecode))
      throw refused("scriptpubkey", reject.nonstandard);
    else if (isDustOutput(output)) throw refused("dust", reject.nonstandard);
  }
  if (dataSize > dataSizeMax) throw refused("oversize-op-return", reject.nonstandard);
  const limit = locktime < timeLocksFrom ? next.height : next.medianTimeAt(next.height - 1);
  const isFinal =
    locktime < limit || inputs.every(({ sequenceNumber }) => sequenceNumber === finalSequence);
  if (!isFinal) throw refused("bad-txns-nonfinal, non-final transaction", reject.nonstandard);
}

const machine = createVirtualMachineBCH2023(true);

/** Relative lock times, fees, and every input's script in libauth's machine, which checks tokens as well. */
export function checkSpending(
  transaction: LedgerTransaction,
  coins: readonly LedgerCoin[],
  feeUnits: bigint,
  next: NextBlock,
): void {
  const decoded = decode(transaction);
  if (decoded.version >= 2)
    decoded.inputs.forEach(({ sequenceNumber }, index) => {
      const height = coins[index]?.height ?? next.height;
      if (!isOldEnough(sequenceNumber, height, next))
        throw refused("non-BIP68-final", reject.nonstandard);
    });
  const size = BigInt(transaction.raw.length / 2);
  // Rounded down, as BCHN's CFeeRate does, but never to 0.
  const least = (relayFee * size) / 1000n;
  if (feeUnits < (least > 0n ? least : 1n)) throw refused("min relay fee not met", reject.fee);
  const verdict = machine.verify({ transaction: decoded, sourceOutputs: coins.map(outputOf) });
  if (verdict !== true) throw refused(reasonOf(verdict), reject.invalid);
}

/** Throws for a fee that the node takes for a mistake. */
export function checkHighFee(feeUnits: bigint): void {
  if (feeUnits > highFee) throw refused(`absurdly-high-fee, ${feeUnits} > ${highFee}`, reject.high);
}

const sequenceDisabled = 2 ** 31;
const sequenceIsTime = 2 ** 22;
const sequenceValue = 0xffff;
/** Seconds that one unit of a relative time stands for. */
const sequenceSeconds = 512;

/** BIP-68. */
function isOldEnough(sequence: number, height: number, next: NextBlock): boolean {
  if ((sequence & sequenceDisabled) !== 0) return true;
  const value = sequence & sequenceValue;
  if ((sequence & sequenceIsTime) === 0) return next.height >= height + value;
  const since = next.medianTimeAt(Math.max(0, height - 1));
  return next.medianTimeAt(next.height - 1) >= since + value * sequenceSeconds;
}

/** libauth's explanation inside the text that BCHN gives for the same finding. */
function reasonOf(explanation: string): string {
  if (/token/i.test(explanation)) return `bad-txns-token-validation, ${explanation}`;
  return `mandatory-script-verify-flag-failed (${explanation})`;
}
