import { Asset } from "@stellar/stellar-sdk/base";
import {
  BumpSequenceOp,
  ChangeTrustOp,
  CreateAccountOp,
  Memo,
  MuxedAccount,
  Operation,
  OperationBody,
  PaymentOp,
  Preconditions,
  TimeBounds,
  Transaction,
  TransactionExt,
} from "@stellar/stellar-sdk/xdr";
import { assert } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { native } from "./asset.ts";
import { publicKeyOf, tokenNamed } from "./entries.ts";

/** What an operation of the hot account does. Units of coin are stroops. */
export type StellarCall =
  | {
      readonly type: "payment";
      readonly to: string;
      /** See `assetName`. */
      readonly asset: string;
      readonly units: bigint;
    }
  | { readonly type: "createAccount"; readonly to: string; readonly units: bigint }
  /** Lets the account hold as much of a token as there can be. */
  | { readonly type: "changeTrust"; readonly asset: string }
  /** Uses all sequences up to this one; null: it changes nothing, but the transaction uses its own. */
  | { readonly type: "useSequence"; readonly through: bigint | null };

export type StellarTransaction = {
  readonly from: string;
  /** In the order of their execution; if one fails, none has an effect. */
  readonly calls: readonly StellarCall[];
  /** Decimal text; null for no memo. */
  readonly memo: string | null;
  /** Stroops at most. */
  readonly fee: bigint;
  readonly sequence: bigint;
  /** Seconds since 1970: no ledger that closes later contains it. */
  readonly maxTime: bigint;
};

/** The draft's body. Every other member restates what is in `transaction`, the bytes to be signed; integers are decimal text. */
export function writeBody(stated: StellarTransaction): JsonObject {
  const { from, calls, memo, fee, sequence, maxTime } = stated;
  const transaction = new Transaction({
    sourceAccount: accountNamed(from),
    fee: uint32Of(fee),
    seqNum: sequence,
    cond: Preconditions.precondTime(new TimeBounds({ minTime: 0n, maxTime })),
    memo: memoOf(memo),
    operations: calls.map(
      (call) => new Operation({ sourceAccount: null, body: operationOf(call) }),
    ),
    ext: TransactionExt.v0(),
  });
  return {
    from,
    operations: calls.map(describe),
    memo,
    fee: fee.toString(),
    sequence: sequence.toString(),
    maxTime: maxTime.toString(),
    transaction: transaction.toXdr("hex"),
  };
}

function describe(call: StellarCall): JsonObject {
  switch (call.type) {
    case "payment":
    case "createAccount":
      return { ...call, units: call.units.toString() };
    case "changeTrust":
      return call;
    case "useSequence":
      return { ...call, through: call.through?.toString() ?? null };
  }
}

/** The field of a transaction's fee has 32 bits. */
function uint32Of(value: bigint): number {
  assert(value >= 0n && value < 2n ** 32n, "a fee of 32 bits");
  return Number(value);
}

function operationOf(call: StellarCall): OperationBody {
  switch (call.type) {
    case "payment":
      return OperationBody.payment(
        new PaymentOp({
          destination: accountNamed(call.to),
          asset: (call.asset === native ? Asset.native() : tokenNamed(call.asset)).toXdrObject(),
          amount: call.units,
        }),
      );
    case "createAccount":
      return OperationBody.createAccount(
        new CreateAccountOp({ destination: publicKeyOf(call.to), startingBalance: call.units }),
      );
    case "changeTrust":
      return OperationBody.changeTrust(
        new ChangeTrustOp({
          line: tokenNamed(call.asset).toChangeTrustXdrObject(),
          limit: 2n ** 63n - 1n,
        }),
      );
    case "useSequence":
      return OperationBody.bumpSequence(new BumpSequenceOp({ bumpTo: call.through ?? 0n }));
  }
}

function accountNamed(address: string): MuxedAccount {
  return MuxedAccount.keyTypeEd25519(publicKeyOf(address).ed25519);
}

function memoOf(memo: string | null): Memo {
  return memo === null ? Memo.memoNone() : Memo.memoId(BigInt(memo));
}
